"""Writes every-type.parquet and int96.parquet beside it. Usage: python write.py (pyarrow 26)."""
import datetime as dt, decimal, os, uuid
import numpy as np, pyarrow as pa, pyarrow.parquet as pq

here = os.path.dirname(os.path.abspath(__file__))
D = decimal.Decimal
utc = dt.timezone.utc
columns = {
    "d9": pa.array([D("1234567.89"), D("-0.01"), None], pa.decimal128(9, 2)),
    "d18": pa.array([D("123456789012345678"), D("9007199254740993"), D("-1")], pa.decimal128(18, 0)),
    "d38": pa.array([D("12345678901234567890123456789012345.678"), D("-0.001"), D("0")], pa.decimal128(38, 3)),
    "d76": pa.array([D("1" * 70), D("-5"), None], pa.decimal256(76, 0)),
    "u8": pa.array([255, 0, 1], pa.uint8()),
    "u32": pa.array([4294967295, 0, 1], pa.uint32()),
    "u64": pa.array([18446744073709551615, 9223372036854775808, 1], pa.uint64()),
    "i8": pa.array([-128, 127, None], pa.int8()),
    "i64": pa.array([-9223372036854775808, 9007199254740993, 0], pa.int64()),
    "f16": pa.array([np.float16(0.1), np.float16(-2), np.float16("inf")], pa.float16()),
    "f32": pa.array([0.1, -0.0, float("nan")], pa.float32()),
    "f64": pa.array([0.1, 1e300, 5e-324], pa.float64()),
    "date": pa.array([dt.date(2024, 2, 29), dt.date(1, 1, 1), dt.date(9999, 12, 31)], pa.date32()),
    "t_ms": pa.array([1, 86399999, 0], pa.time32("ms")),
    "t_us": pa.array([1, 86399999999, 0], pa.time64("us")),
    "ts_ms": pa.array([1720000000123, -1, 0], pa.timestamp("ms", tz="UTC")),
    "ts_us": pa.array([1720000000123456, -1, 9007199254740993], pa.timestamp("us", tz="UTC")),
    "ts_ns": pa.array([1720000000123456000, 1720000000123456789, -1000], pa.timestamp("ns", tz="UTC")),
    "ts_local": pa.array([1720000000123456, -1, 0], pa.timestamp("us")),
    "text": pa.array(["Müller", "", None], pa.string()),
    "binary": pa.array([b"M\xc3\xbcller", b"M\xfcller", b""], pa.binary()),
    "fixed": pa.array([b"\x00\xff\x10\x20", b"abcd", None], pa.binary(4)),
    "uuid": pa.array([uuid.UUID(int=1).bytes, uuid.UUID(int=2**128 - 1).bytes, None], pa.uuid()),
    "words": pa.array(["a", "b", "a"]).dictionary_encode(),
    "flag": pa.array([True, False, None]),
    "numbers": pa.array([[1, None, 9007199254740993], [], None], pa.list_(pa.int64())),
    "place": pa.array([{"lat": 1.5, "name": "x"}, {"lat": None, "name": "y"}, None], pa.struct([("lat", pa.float64()), ("name", pa.string())])),
    "sizes": pa.array([[("a", 1), ("b", None)], [], None], pa.map_(pa.string(), pa.int64())),
    "prices": pa.array([[D("0.10"), D("99999999999999.99")], [], None], pa.list_(pa.decimal128(16, 2))),
}
pq.write_table(pa.table(columns), os.path.join(here, "every-type.parquet"), compression="snappy", store_schema=False)
pq.write_table(pa.table({"t": pa.array([1720000000123456000, 1720000000123456789, -1000], pa.timestamp("ns"))}),
               os.path.join(here, "int96.parquet"), use_deprecated_int96_timestamps=True, store_schema=False)
