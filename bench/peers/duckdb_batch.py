"""DuckDB over the same JSON lines: one batch, no watermark, no state."""
import json, resource, sys
import duckdb

connection = duckdb.connect()
connection.execute(f"set threads={sys.argv[2]}")
start = resource.getrusage(resource.RUSAGE_SELF)
connection.execute(
    """select time_bucket(interval '5 minutes', eventTime), page, count(*), sum(durationMs)
    from read_json(?, format='newline_delimited', columns={eventTime: 'TIMESTAMP', page: 'VARCHAR', userId: 'VARCHAR',
    durationMs: 'BIGINT'}) group by 1, 2""",
    [f"{sys.argv[1]}/*.json"],
).fetchall()
end = resource.getrusage(resource.RUSAGE_SELF)
cpu = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
print(json.dumps({"version": duckdb.__version__, "cpuSeconds": cpu}))
