"""Converts NDJSON with Spark: each partition goes through one convert-server, which is a filter.

Usage: spark-submit convert_lines.py INPUT OUTPUT PROFILE [PROGRAM]

PROFILE and PROGRAM must be at the same path on every worker (--files and --archives do that, or the workers' image).
"""

import shlex
import sys

from pyspark.sql import SparkSession

source, target, profile, *rest = sys.argv[1:]
program = rest[0] if rest else "convert-server"

spark = SparkSession.builder.appName("convert").getOrCreate()
lines = spark.sparkContext.textFile(source)
command = shlex.join([program, "convert", "--ndjson", "--profile", profile])
# checkCode: a line that breaks a rule ends its task instead of ending the output early.
lines.pipe(command, checkCode=True).saveAsTextFile(target)
spark.stop()
