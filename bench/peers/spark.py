"""Spark Structured Streaming over JSON lines: the same windows, watermark and totals, to a sink that drops them."""
import json, os, shutil, sys, tempfile
import pyspark
from pyspark.sql import SparkSession, functions as F, types as T

folder, cores, files_per_batch = sys.argv[1], sys.argv[2], int(sys.argv[3])
spark = (
    SparkSession.builder.master(f"local[{cores}]")
    .config("spark.sql.shuffle.partitions", cores)
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")


def cpu_seconds():
    pid = spark._jvm.java.lang.ProcessHandle.current().pid()
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


schema = T.StructType([
    T.StructField("eventTime", T.TimestampType()),
    T.StructField("page", T.StringType()),
    T.StructField("userId", T.StringType()),
    T.StructField("durationMs", T.LongType()),
])
checkpoint = tempfile.mkdtemp()
totals = (
    spark.readStream.schema(schema).option("maxFilesPerTrigger", files_per_batch).json(folder)
    .withWatermark("eventTime", "10 minutes")
    .groupBy(F.window("eventTime", "5 minutes"), "page")
    .agg(F.count("*").alias("views"), F.sum("durationMs").alias("dwell"))
)
start = cpu_seconds()
query = (
    totals.writeStream.outputMode("append").format("noop")
    .option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
)
query.awaitTermination()
cpu = cpu_seconds() - start
shutil.rmtree(checkpoint, ignore_errors=True)
print(json.dumps({"version": pyspark.__version__, "cpuSeconds": cpu}))
