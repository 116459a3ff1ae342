"""polars over the same JSON lines: one batch, no watermark, no state."""
import json, resource, sys
import polars as pl

schema = {"eventTime": pl.String, "page": pl.String, "userId": pl.String, "durationMs": pl.Int64}
start = resource.getrusage(resource.RUSAGE_SELF)
(
    pl.scan_ndjson(f"{sys.argv[1]}/*.json", schema=schema)
    .with_columns(pl.col("eventTime").str.to_datetime("%Y-%m-%dT%H:%M:%S%.fZ"))
    .group_by(pl.col("eventTime").dt.truncate("5m"), "page")
    .agg(pl.len(), pl.col("durationMs").sum())
    .collect(engine="streaming")
)
end = resource.getrusage(resource.RUSAGE_SELF)
cpu = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
print(json.dumps({"version": pl.__version__, "cpuSeconds": cpu}))
