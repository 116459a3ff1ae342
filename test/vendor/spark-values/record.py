"""Records how Spark turns text into values and values into text. Usage: python record.py OUT_DIR (pyspark 4.3, Java 17)."""
import json, os, sys, tempfile
from pyspark.sql import SparkSession, functions as F
from pyspark.sql.types import *

out = sys.argv[1]
spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
         .config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "1")
         .config("spark.driver.extraJavaOptions", "-Duser.timezone=UTC").getOrCreate())
spark.sparkContext.setLogLevel("ERROR")

def write(name, value):
    with open(os.path.join(out, name + ".json"), "w") as f:
        f.write("[\n" + ",\n".join("  " + json.dumps(r, ensure_ascii=True) for r in value) + "\n]\n")

def frame(texts, name="s"):
    return spark.createDataFrame([(i, t) for i, t in enumerate(texts)], f"i int, {name} string")

NUMBERS = ["0", "-0", "7", "+8", " 7", "7 ", "\t7\n", ".5", "5.", "-.5", "+.5", "1e3", "1E+3", "1e-3", "1e400", "-1e400", "1e-400", "1d", "1D", "1f", "1F", "1L",
  "NaN", "nan", "NAN", "Infinity", "-Infinity", "+Infinity", "inf", "Inf", "-inf", "INF", "infinity", "0x10", "0x1p3", "1_000", "1,000", "", " ", "NA", "null",
  "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "2147483647", "2147483648", "9007199254740993", "1.0", "1.5", "-1.9",
  "9999999999999e5", "00012", "--1", "+-1", "+", "-", ".", "e5", "1e", "\u0661", "1 2", "0.1", "123456789012345678901234567890", "4.9e-324", "1.7976931348623157e308", "1.7976931348623159e308", "\u00a07", "0b1", "12.", "1e5", "true"]
BOOLS = ["true", "TRUE", "True", "t", "T", "false", "FALSE", "f", "y", "yes", "n", "no", "Y", "0", "1", " true ", "tr", "on", "", "2", "null", "YES", "No"]
TIMES = ["2014-04-01 00:11:00 UTC", "2014-4-1 0:11:00", "2014-04-01 00:11:00 Europe/Paris", "  2014-04-01 00:11:00  ", "2014", "2014-04", "2014-04-01", "2014-4-1", "2014-4", "2014-04-01T", "2014-04-01 ",
  "2014-04-01 1", "2014-04-01 01", "2014-04-01 01:02", "2014-04-01 1:2", "2014-04-01 1:2:3", "2014-04-01T01:02:03", "2014-04-01t01:02:03", "2014-04-01 01:02:03.1", "2014-04-01 01:02:03.123456", "2014-04-01 01:02:03.1234567", "2014-04-01 01:02:03.123456789", "2014-04-01 01:02:03.1234567891",
  "2014-04-01 01:02:03.", "2014-04-01 01:02:03,5", "2014-04-01T01:02:03Z", "2014-04-01T01:02:03 Z", "2014-04-01T01:02:03z", "2014-04-01T01:02:03+1", "2014-04-01T01:02:03+01", "2014-04-01T01:02:03+01:00", "2014-04-01T01:02:03+1:0", "2014-04-01T01:02:03+0100", "2014-04-01T01:02:03+010000", "2014-04-01T01:02:03-01:30", "2014-04-01T01:02:03+18:00", "2014-04-01T01:02:03+18:01", "2014-04-01T01:02:03+19:00", "2014-04-01T01:02:03+01:60", "2014-04-01T01:02:03+01:02:03", "2014-04-01T01:02:03-01:02:03",
  "2014-04-01T01:02:03UTC+1", "2014-04-01T01:02:03 UTC+01:00", "2014-04-01T01:02:03 GMT-5", "2014-04-01T01:02:03 GMT+5:30", "2014-04-01T01:02:03 UT+1", "2014-04-01T01:02:03 UT", "2014-04-01T01:02:03 GMT", "2014-04-01T01:02:03 GMT0", "2014-04-01T01:02:03 PST", "2014-04-01T01:02:03 EST", "2014-04-01T01:02:03 CET", "2014-04-01T01:02:03 CST", "2014-04-01T01:02:03 America/Los_Angeles", "2014-04-01T01:02:03America/Los_Angeles", "2014-04-01T01:02:03 america/los_angeles", "2014-04-01T01:02:03 Etc/GMT+5", "2014-04-01T01:02:03 Mars/Base", "2014-04-01T01:02:03 utc", "2014-04-01T01:02:03 Asia/Kolkata", "2014-04-01T01:02:03 Zulu", "2014-04-01T01:02:03 IST",
  "2014-03-30 02:30:00 Europe/Berlin", "2014-10-26 02:30:00 Europe/Berlin", "2014-10-26 01:59:59 Europe/Berlin", "2014-03-30 03:00:00 Europe/Berlin", "2014-07-01 12:00 Europe/Berlin", "2014-12-31 24:00:00", "2014-02-29", "2016-02-29", "2014-13-01", "2014-00-01", "2014-04-31", "2014-04-00", "2014-04-01 23:59:60", "2014-04-01 25:00:00", "2014-04-01 00:60:00",
  "0001-01-01", "9999-12-31 23:59:59.999999", "10000-01-01", "+10000-01-01", "-0001-01-01", "0000-01-01", "1-1-1", "14-04-01", "014-04-01", "02014-04-01", "2014-004-01", "2014-04-001", "20140401", "20140401T010203Z", "2014/04/01", "2015/01/01 01:00:00", "Jan 1 2000", "Tue, 01 Apr 2014 00:11:00 GMT", "1396310000", "1396310000000", "1671562498449.0", "", " ", "now", "today", "epoch", "T01:02:03", "01:02:03", "12:34", "2014-W14", "2014-091", "2014-04-01T01:02:03.123+0200", "2014-04-01T01:02:03.123 +02:00", "2014-04-01 01:02:03 +02:00", "2014-04-01T01:02Z", "2014-04-01T01Z", "2014-04-01Z", "2014-04-01 UTC", "2014-04-01+02:00", "2014-04-01T+02:00", "\t2014-04-01\n", "\u00a02014-04-01", "2014-04-01  01:02:03", "2014-04-01T 01:02:03", "2014-04-01 01:02:03  UTC", "2014-04-01 001:02:03", "2014-04-01 01:002:03", "1000000-01-01", "2014-04-01 1:02:03 AM", "2014-04-01 01:02:03.000000 UTC+05:30", "1883-11-18 12:00:00 America/New_York", "1850-01-01 00:00:00 Europe/Berlin", "9999-12-30T23:59:59.999999Z", "2255-06-05T23:47:34.740993Z", "2262-04-11 23:47:16.854775", "2014-04-01 01:02:03+05:30:15", "2014-04-01 01:02:03-5:3", "2014-04-01 01:02:03+530", "2014-04-01 01:02:03 +0530"]

def casts():
    rows = []
    for typ in ["double", "int", "bigint", "boolean"]:
        texts = (BOOLS + NUMBERS) if typ == "boolean" else NUMBERS
        got = frame(texts).selectExpr("i", f"cast(try_cast(s as {typ}) as string) v").orderBy("i").collect()
        rows += [[typ, t, r.v] for t, r in zip(texts, got)]
    write("cast-from-text", rows)
    got = frame(TIMES).selectExpr("i", "unix_micros(try_cast(s as timestamp)) v").orderBy("i").collect()
    write("timestamp-from-text", [[t, None if r.v is None else str(r.v)] for t, r in zip(TIMES, got)])
    got = frame(TIMES).selectExpr("i", "cast(try_cast(s as timestamp_ntz) as string) v").orderBy("i").collect()
    write("timestamp-ntz-from-text", [[t, r.v] for t, r in zip(TIMES, got)])

DOUBLES = [0.0, -0.0, 1.0, 1e21, 1e7, 1e-4, 1e-3, 9999999.0, 9999999.999, 10000000.5, 123456789.0, 0.00099999, 1.5, -2.5e10, 1e22, 1e23, 2e-323, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 0.1, 0.1+0.2, 1/3, 100.0, 1e16, 1e17, 12345678.9, 9007199254740992.0, 9.007199254740993e15, 1e-7, 123e-20, 2.0**63, 2.0**53, 1.0E10, 4.35, 2e23, 8.41e21, 8.5e21, 2.0e-3, 9.5e-4, float("nan"), float("inf"), float("-inf")]

def doubles():
    df = spark.createDataFrame([(i, v) for i, v in enumerate(DOUBLES)], "i int, d double")
    got = df.selectExpr("i", "cast(d as string) v", "concat(d, '') c", "try_cast(d as bigint) l", "try_cast(d as int) n", "unix_micros(try_cast(d as timestamp)) t").orderBy("i").collect()
    write("double-to-text", [[repr(v) if v == v and abs(v) != float("inf") else str(v), r.v, r.c, None if r.l is None else str(r.l), r.n, None if r.t is None else str(r.t)] for v, r in zip(DOUBLES, got)])

def csv():
    rows = []
    for typ, texts in [("double", NUMBERS), ("int", NUMBERS), ("bigint", NUMBERS), ("boolean", BOOLS), ("timestamp", TIMES), ("string", ["", " ", " a ", "NA", "null"])]:
        for t in texts:
            if "\n" in t: continue
            cell = '"' + t.replace('"', '\\"') + '"' if "," in t else t
            with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as f:
                f.write(f"x,{cell}\n")
        # one file per type: rows by ordinal
        with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False, encoding="utf-8") as f:
            kept = [t for t in texts if "\n" not in t]
            for i, t in enumerate(kept):
                cell = '"' + t + '"' if "," in t else t
                f.write(f"{i},{cell}\n")
        got = {r.i: r for r in spark.read.schema(f"i int, v {typ}, _bad string").option("columnNameOfCorruptRecord", "_bad").csv(f.name).selectExpr("i", "_bad", ("cast(unix_micros(v) as string) v" if typ == "timestamp" else "cast(v as string) v")).collect()}
        rows += [[typ, t, "malformed" if got[i]._bad is not None else got[i].v, got[i]._bad is not None] for i, t in enumerate(kept)]
    write("csv-cells", [[a, b, c] if not bad else [a, b, {"malformed": True}] for a, b, c, bad in rows])

JSONS = ["1", "-0", "0", "1.0", "1.5", "1e3", "1e400", "9007199254740993", "9223372036854775807", "9223372036854775808", "9999999999999e5", "1.0e2", '"1"', '" 1"', '"1.5"', '"NaN"', '"Infinity"', '"-Infinity"', '"INF"', '"+INF"', '"-INF"', '"+Infinity"', '"inf"', "true", "false", '"true"', '""', "null", "{}", "[]", '{"a": 1,  "b":2.50}', '[1, 2]', '"abc"', "1396310000", "1396310000000", "1671562498449.0", '"2014-04-01 00:11:00 UTC"', '"2014-4-1 0:11:00"', '"2014"', '"  2014-04-01  "', "NaN", "Infinity", "12345678901234567890123", "0.12345678901234567890123", "1E5", "2147483648", "-1.0", "100000000000000000000000"]

def jsons():
    rows = []
    for typ in ["double", "int", "bigint", "boolean", "string", "timestamp"]:
        with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as f:
            for i, t in enumerate(JSONS): f.write('{"i": %d, "v": %s}\n' % (i, t))
        got = {r.i: r for r in spark.read.schema(f"i int, v {typ}, _bad string").option("columnNameOfCorruptRecord", "_bad").json(f.name).selectExpr("i", "_bad", ("cast(unix_micros(v) as string) v" if typ == "timestamp" else "cast(v as string) v")).collect()}
        for i, t in enumerate(JSONS):
            r = got.get(i)
            rows.append([typ, t, {"malformed": True} if r is None or r._bad is not None else r.v])
    write("json-values", rows)

PATTERNS = [
 ["MMM d yyyy", "Jan 1 2000"], ["MMM d yyyy", "jan 1 2000"], ["MMM d yyyy", "January 1 2000"], ["MMM dd yyyy", "Jan 1 2000"], ["MMM dd yyyy", "Jan 01 2000"], ["MMMM d, yyyy", "January 1, 2000"], ["yyyy/MM/dd HH:mm:ss", "2015/01/01 01:00:00"], ["yyyy/MM/dd HH:mm:ss", "2015/1/1 1:00:00"], ["yyyy/M/d H:mm", "2015/1/1 1:00"], ["yyyy/M/d H:mm", "2015/11/21 21:00"],
 ["EEE, dd MMM yyyy HH:mm:ss z", "Tue, 01 Apr 2014 00:11:00 GMT"], ["dd MMM yyyy HH:mm:ss Z", "01 Apr 2014 00:11:00 +0000"], ["dd MMM yyyy HH:mm:ss Z", "01 Apr 2014 00:11:00 +0530"], ["dd/MMM/yyyy:HH:mm:ss Z", "10/Oct/2000:13:55:36 -0700"],
 ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2014-04-01T01:02:03.123+02:00"], ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2014-04-01T01:02:03.123Z"], ["yyyy-MM-dd'T'HH:mm:ssX", "2014-04-01T01:02:03+02"], ["yyyy-MM-dd'T'HH:mm:ssX", "2014-04-01T01:02:03Z"], ["yyyy-MM-dd'T'HH:mm:ssXX", "2014-04-01T01:02:03+0230"], ["yyyy-MM-dd'T'HH:mm:ssx", "2014-04-01T01:02:03+00"], ["yyyy-MM-dd HH:mm:ss.SSSSSS", "2014-04-01 01:02:03.123456"], ["yyyy-MM-dd HH:mm:ss.SSS", "2014-04-01 01:02:03.1"], ["yyyy-MM-dd HH:mm:ss.S", "2014-04-01 01:02:03.1"], ["yyyy-MM-dd HH:mm:ss.SSSSSSSSS", "2014-04-01 01:02:03.123456789"], ["yyyy-MM-dd HH:mm:ss[.SSS]", "2014-04-01 01:02:03"], ["yyyy-MM-dd HH:mm:ss[.SSS]", "2014-04-01 01:02:03.120"],
 ["yyyy-MM-dd", "2014-04-01"], ["yyyy-MM", "2014-04"], ["yyyy", "2014"], ["yy-MM-dd", "14-04-01"], ["yy-MM-dd", "99-04-01"], ["yyyyMMdd", "20140401"], ["yyyyMMddHHmmss", "20140401010203"], ["dd.MM.yyyy", "01.04.2014"], ["MM/dd/yyyy hh:mm a", "04/01/2014 01:02 PM"], ["MM/dd/yyyy hh:mm a", "04/01/2014 12:02 AM"], ["MM/dd/yyyy hh:mm a", "04/01/2014 01:02 pm"], ["M/d/yyyy h:mm:ss a", "4/1/2014 1:02:03 AM"], ["M/d/yy H:mm", "4/1/14 0:11"], ["HH:mm", "01:02"], ["D yyyy", "91 2014"], ["yyyy-DDD", "2014-091"], ["yyyy-MM-dd HH:mm:ss VV", "2014-04-01 01:02:03 Europe/Paris"], ["yyyy-MM-dd HH:mm:ss z", "2014-04-01 01:02:03 PST"], ["yyyy-MM-dd HH:mm:ss z", "2014-04-01 01:02:03 CET"], ["yyyy-MM-dd HH:mm:ss z", "2014-04-01 01:02:03 UTC"], ["yyyy-MM-dd HH:mm:ss O", "2014-04-01 01:02:03 GMT+1"], ["yyyy-MM-dd HH:mm:ss OOOO", "2014-04-01 01:02:03 GMT+01:00"], ["EEEE, MMMM d, yyyy", "Tuesday, April 1, 2014"], ["E MMM d yyyy", "Tue Apr 1 2014"], ["E MMM d yyyy", "Mon Apr 1 2014"], ["yyyy-MM-dd", "2014-02-30"], ["yyyy-MM-dd", "2014-02-29"], ["yyyy-MM-dd", " 2014-04-01"], ["yyyy-MM-dd", "2014-04-01 "], ["yyyy-MM-dd", "2014-04-01x"], ["yyyy-MM-dd", "2014-4-1"], ["yyyy-M-d", "2014-04-01"], ["yyyy-MM-dd HH:mm", "2014-04-01 24:00"], ["yyyy-MM-dd kk:mm", "2014-04-01 24:00"], ["yyyy-MM-dd KK:mm a", "2014-04-01 00:30 PM"], ["''yyyy''", "'2014'"], ["yyyy 'year'", "2014 year"], ["GGG yyyy", "AD 2014"], ["yyyy-QQ", "2014-02"], ["yyyy-'Q'q", "2014-Q2"], ["u-M-d", "2014-4-1"], ["uuuu-MM-dd", "2014-04-01"], ["y-M-d", "2014-4-1"], ["yyyy-MM-dd HH:mm:ss.SSS", "2014-04-01 01:02:03.123456"], ["MMM d HH:mm:ss yyyy", "Apr 01 01:02:03 2014"], ["MMM d yyyy", "Sept 1 2000"], ["MMM d yyyy", "May 1 2000"], ["LLL d yyyy", "Jan 1 2000"], ["yyyy-MM-dd HH:mm:ss", "0001-01-01 00:00:00"], ["yyyyy-MM-dd", "02014-04-01"], ["yyyy-MM-dd", "02014-04-01"], ["yyyy-MM-dd", "+12014-04-01"], ["n", "5"], ["w", "1"], ["YYYY-MM-dd", "2014-04-01"], ["u", "5"], ["A", "1"], ["e", "1"], ["c", "1"], ["F", "1"], ["B", "in the morning"], ["b", "1"], ["yyyy-MM-dd'T", "2014-04-01T"], ["yyyyMMdd HHmmssSSS", "20140401 010203123"], ["yyyyMMddHHmmssSSS", "20140401010203123"], ["ss.SSS", "03.5"], ["yyyy-MM-dd HH:mm:ss.SSSSSS", "2014-04-01 01:02:03.123"], ["MMMMM d yyyy", "J 1 2000"], ["EEEEE", "T"], ["yyyy-MM-dd HH:mm:ss XXX", "2014-04-01 01:02:03 +5:30"], ["yyyy-MM-dd HH:mm:ss", "2014-04-01T01:02:03"], ["dd-MM-yyyy", "31-11-2014"], ["HH:mm:ss yyyy-MM-dd", "01:02:03 2014-04-01"], ["yyyy-MM-dd hh:mm", "2014-04-01 01:02"], ["yyyy-MM-dd a", "2014-04-01 PM"],
 ["yyyy-MM-dd HH:mm VV", "2014-03-30 02:30 Europe/Berlin"], ["yyyy-MM-dd HH:mm VV", "2014-10-26 02:30 Europe/Berlin"], ["yyyy-MM-dd HH:mm:ssZZZZZ", "2014-04-01 01:02:03+01:00"], ["yyyy-MM-dd HH:mm:ssZZZZ", "2014-04-01 01:02:03GMT+01:00"], ["yyyy-MM-dd HH:mm:sszzzz", "2014-04-01 01:02:03Pacific Standard Time"]]

def one(expr, df_row=None):
    try:
        r = spark.sql(f"select {expr} v").collect()[0].v
        return None if r is None else str(r)
    except Exception as e:
        c = getattr(e, "getCondition", lambda: None)()
        return {"error": c or str(e)[:80]}

def q(s): return "'" + s.replace("\\", "\\\\").replace("'", "\\'") + "'"

def patterns():
    rows = [[p, t, one(f"unix_micros(try_to_timestamp({q(t)}, {q(p)}))")] for p, t in PATTERNS]
    write("timestamp-by-pattern", rows)
    instants = [("2014-04-01 01:02:03.123456", "2014-04-01 01:02:03.123456"), ("2014-12-31 13:00:00", "x"), ("0009-01-05 00:00:00", "x"), ("2000-01-01 00:00:00", "x")]
    forms = ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "yyyy-MM-dd HH:mm:ss.SSSSSS", "yyyy-MM-dd HH:mm:ss.S", "y", "yy", "yyyy", "yyyyy", "M", "MM", "MMM", "MMMM", "MMMMM", "L", "LL", "LLL", "LLLL", "d", "dd", "D", "DDD", "E", "EEE", "EEEE", "H", "HH", "h", "hh", "k", "kk", "K", "KK", "m", "s", "S", "SSSSSSSSS", "a", "G", "GGGG", "Q", "QQ", "QQQ", "QQQQ", "q", "qq", "z", "zzzz", "VV", "X", "XX", "XXX", "XXXX", "XXXXX", "x", "xx", "xxx", "Z", "ZZZZ", "ZZZZZ", "O", "OOOO", "''", "'at' HH", "[HH]", "yyyyMMdd", "F", "FF", "w", "u", "e", "c", "YYYY", "A", "n", "N", "B", "dd/MMM/yyyy:HH:mm:ss Z", "EEEEE", "MMMMMM", "ddd", "HHH", "yyyyyyy", "SSSSSSSSSS", "aa", "GGGGG", "QQQQQ", "V", "I", "#", "{", "t", "W", "p", "l"]
    rows = []
    for ts, _ in instants:
        for f in forms:
            for z in (["UTC"] if ts != instants[0][0] else ["UTC", "America/New_York", "Asia/Kolkata"]):
                spark.conf.set("spark.sql.session.timeZone", z)
                rows.append([z, ts, f, one(f"date_format(from_utc_timestamp(to_utc_timestamp(timestamp'{ts}', '{z}'), '{z}'), {q(f)})") if False else one(f"date_format(timestamp_micros(unix_micros(timestamp'{ts} UTC')), {q(f)})")])
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    write("date-format", rows)
    fns = ["from_unixtime(0)", "from_unixtime(1396310000)", "from_unixtime(-1)", "from_unixtime(1396310000, 'yyyy/MM/dd')", "from_unixtime(253402300799)", "unix_timestamp('2014-04-01 00:11:00')", "unix_timestamp(timestamp'2014-04-01 00:11:00.9')", "unix_timestamp(timestamp'1969-12-31 23:59:59.5')", "unix_timestamp('2014/04/01', 'yyyy/MM/dd')", "unix_timestamp('bad')", "try_to_timestamp('bad')", "unix_seconds(timestamp'1969-12-31 23:59:59.5')", "unix_millis(timestamp'1969-12-31 23:59:59.9995')", "unix_micros(timestamp'1969-12-31 23:59:59.9995')", "unix_micros(timestamp_seconds(1.5))", "unix_micros(timestamp_seconds(cast(1.9999999 as double)))", "unix_micros(timestamp_seconds(cast(-1.9999999 as double)))", "unix_micros(timestamp_micros(5))", "unix_micros(timestamp_millis(5))", "unix_micros(cast(cast(1.9999999 as double) as timestamp))", "unix_micros(cast(cast(-1.9999999 as double) as timestamp))", "cast(timestamp'2014-04-01 00:11:00.123400' as string)", "cast(timestamp'0009-01-05 00:00:00' as string)", "unix_micros(cast('2014-04-01 00:11:00' as timestamp))", "unix_micros(from_utc_timestamp(timestamp'2014-04-01 00:00:00', 'Europe/Berlin'))", "unix_micros(to_utc_timestamp(timestamp'2014-04-01 00:00:00', 'Europe/Berlin'))", "unix_micros(to_utc_timestamp(timestamp'2014-03-30 02:30:00', 'Europe/Berlin'))", "cast(cast(1.0 as float) as string)", "cast(true as string)", "cast(cast(12.50 as decimal(5,2)) as string)", "cast(timestamp'2014-04-01 00:11:00.9' as bigint)", "cast(timestamp'1969-12-31 23:59:59.5' as bigint)", "cast(timestamp'1969-12-31 23:59:59.5' as double)"]
    write("time-functions", [[f, one(f)] for f in fns])

for part in (casts, doubles, csv, jsons, patterns):
    try: part(); print("ok", part.__name__)
    except Exception as e: print("FAILED", part.__name__, str(e)[:2000])
