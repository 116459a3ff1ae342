"""Prints the rows of a Delta table, sorted, as JSON lines: read-delta.py (deltalake|duckdb) FOLDER"""

import json
import sys

engine, folder = sys.argv[1:]
if engine == "deltalake":
    from deltalake import DeltaTable

    table = DeltaTable(folder)
    rows = table.to_pyarrow_table().to_pylist()
else:
    import duckdb

    duckdb.sql("INSTALL delta; LOAD delta; SET TimeZone = 'UTC'")
    relation = duckdb.sql(f"SELECT * FROM delta_scan('{folder}')")
    rows = [dict(zip(relation.columns, row)) for row in relation.fetchall()]


def plain(value):
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.strftime("%Y-%m-%dT%H:%M:%S.%f") if hasattr(value, "strftime") else value


for line in sorted(json.dumps(plain(row), sort_keys=True) for row in rows):
    print(line)
