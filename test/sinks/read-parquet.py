"""Prints how many rows of a Parquet file and of a JSON-lines file differ, as DuckDB or Spark reads them.

    python3 read-parquet.py duckdb|pyspark FILE.parquet FILE.jsonl
"""

import sys

engine, parquet, lines = sys.argv[1:]

if engine == "duckdb":
    import duckdb

    columns = (
        "{\"at\": 'TIMESTAMPTZ', \"window\": 'STRUCT(\"start\" TIMESTAMPTZ, \"end\" TIMESTAMPTZ)', views: 'BIGINT', "
        "ratio: 'DOUBLE', ok: 'BOOLEAN', page: 'VARCHAR', tags: 'VARCHAR[]'}"
    )
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    left = f"SELECT * FROM read_parquet('{parquet}')"
    right = f"SELECT * FROM read_json('{lines}', format = 'newline_delimited', columns = {columns})"
    count = lambda query: connection.execute(f"SELECT count(*) FROM ({query})").fetchone()[0]
    print(count(left), count(f"{left} EXCEPT ALL {right}") + count(f"{right} EXCEPT ALL {left}"))
else:
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[1]").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    left = spark.read.parquet(parquet)
    schema = (
        "at TIMESTAMP, window STRUCT<start: TIMESTAMP, end: TIMESTAMP>, views BIGINT, ratio DOUBLE, ok BOOLEAN, "
        "page STRING, tags ARRAY<STRING>"
    )
    right = spark.read.schema(schema).json(lines)
    print(left.count(), left.exceptAll(right).count() + right.exceptAll(left).count())
