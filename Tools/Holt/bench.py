"""Compares the command with DuckDB and sqlite3 on the same files: bench.py HOLT FOLDER [MEGABYTES] [RUNS]

The files are generated from a fixed seed in FOLDER and used again by later runs. Each command runs RUNS times,
in turns with its peer; a line shows the medians of the user and system time of the process with its children,
in seconds, and the largest resident size in megabytes. The time that Python takes to start and to import DuckDB
is measured and subtracted. Peers that are missing are skipped. Exits with 1 if two commands print different
results.
"""

import importlib.util
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys

SEED = 30
REGIONS = [f"region {number:03}" for number in range(200)]
WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau".split()
COLUMNS = ["id", "name", "region", "amount", "quantity", "ordered", "paid", "note"]

COUNT = "SELECT count(*) FROM {table}"
GROUP = ("SELECT region, count(*) AS orders, sum(quantity) AS quantity, max(amount) AS largest FROM {table} "
         "GROUP BY region ORDER BY region")
FILTER = "SELECT count(*) AS orders, sum(amount) AS amount FROM {table} WHERE quantity > 950 AND region = 'region 007'"
QUERIES = (("count(*)", COUNT), ("GROUP BY", GROUP), ("WHERE", FILTER))


def rows(megabytes):
    """Rows whose CSV form is about as large as `megabytes`."""
    generator = random.Random(SEED)
    for number in range(1, megabytes * 13_700 + 1):
        words = generator.choices(WORDS, k=4)
        yield [
            number, f"{words[0]} {words[1]}", generator.choice(REGIONS),
            generator.randrange(100_000) / 100, generator.randrange(1_000),
            f"20{number % 25:02}-{number % 12 + 1:02}-{number % 28 + 1:02}", number % 3 == 0,
            f'{words[2]}, "{words[3]}"' if number % 50 == 0 else f"{words[2]} {words[3]} {number}",
        ]


def csv_cell(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if '"' in text or "," in text else text


def generate(folder, megabytes):
    csv, jsonl = folder / f"orders-{megabytes}.csv", folder / f"orders-{megabytes}.json"
    if not csv.exists():
        with open(folder / "partial", "w") as file:
            file.write(",".join(COLUMNS) + "\n")
            file.writelines(",".join(map(csv_cell, row)) + "\n" for row in rows(megabytes))
        os.replace(folder / "partial", csv)
    if not jsonl.exists():
        with open(folder / "partial", "w") as file:
            for place, row in enumerate(rows(megabytes)):
                file.write(("[\n" if place == 0 else ",\n") + json.dumps(dict(zip(COLUMNS, row))))
            file.write("\n]\n")
        os.replace(folder / "partial", jsonl)
    return csv, jsonl


def run(command):
    """The seconds of user and system time, the megabytes, and the output of a process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"exit code {process.returncode} of {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output


def measure(commands, runs):
    """The median seconds, the largest size and the last output of each command; the commands take turns."""
    samples = [[run(command) for command in commands] for _ in range(runs)]
    return [
        (statistics.median(sample[place][0] for sample in samples),
         max(sample[place][1] for sample in samples), samples[-1][place][2])
        for place in range(len(commands))
    ]


def duckdb(sql):
    code = ("import duckdb, json, sys\n"
            "duckdb.sql('SET enable_progress_bar = false')\n"
            "for row in duckdb.sql(sys.argv[1]).fetchall():\n"
            "    print(json.dumps(row, default=str))")
    return [sys.executable, "-c", code, sql]


def same(own, other):
    """Whether JSON lines of objects and of arrays have the same values, up to the rounding of a sum."""
    own = [list(json.loads(line).values()) for line in own.splitlines()]
    other = [json.loads(line) for line in other.splitlines()]
    close = lambda a, b: abs(a - b) <= 1e-9 * abs(b) if isinstance(a, float) or isinstance(b, float) else a == b
    return len(own) == len(other) and all(
        len(x) == len(y) and all(map(close, x, y)) for x, y in zip(own, other))


def line(name, own, peer, other):
    ratio = f"{own[0] / other[0]:8.2f}" if other else " " * 8
    times = f"{other[0]:8.2f} {other[1]:7.0f}" if other else " " * 16
    print(f"{name:44} {own[0]:8.2f} {own[1]:7.0f}  {peer:8} {times} {ratio}", flush=True)


def main():
    holt, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    folder.mkdir(parents=True, exist_ok=True)
    csv, array = generate(folder, megabytes)
    spon = folder / f"orders-{megabytes}.spon"
    if not spon.exists():
        run([holt, "convert", array, spon])

    has_duckdb = importlib.util.find_spec("duckdb") is not None
    if not has_duckdb:
        print("duckdb is not installed (pip install duckdb): skipped")
    start = measure([[sys.executable, "-c", "import duckdb"]], runs)[0][0] if has_duckdb else 0
    print(f"{csv.name}: {csv.stat().st_size / 1e6:.0f} MB, {array.name}: {array.stat().st_size / 1e6:.0f} MB, "
          f"{spon.name}: {spon.stat().st_size / 1e6:.0f} MB; medians of {runs} runs")
    print(f"{'':44} {'holt s':>8} {'MB':>7}  {'peer':8} {'s':>8} {'MB':>7} {'ratio':>8}")

    different = []
    table = "orders-" + str(megabytes)
    for file, reader in ((csv, "read_csv"), (array, "read_json")):
        for kind, sql in QUERIES:
            own = [holt, "query", sql.format(table=f'"{table}"'), file, "--output", "jsonl"]
            name = f"{file.suffix[1:].upper()}: {kind}"
            if has_duckdb:
                source = f"{reader}('{file}')"
                own, other = measure([own, duckdb(sql.format(table=source))], runs)
                if not same(own[2], other[2]):
                    different.append(name)
                line(name, own, "DuckDB", (max(other[0] - start, 0.001), other[1]))
            else:
                own = measure([own], runs)[0]
                line(name, own, "", None)

    for kind, sql in QUERIES:
        sql = sql.format(table=f'"{table}"')
        own, other = measure([[holt, "query", sql, file, "--output", "jsonl"] for file in (spon, array)], runs)
        if own[2] != other[2]:
            different.append(f"SPON: {kind}")
        line(f"SPON: {kind}, compared with JSON", own, "holt", other)

    target, imported = folder / "converted.sqlite", folder / "imported.sqlite"
    def fresh(command):
        code = ("import os, pathlib, subprocess, sys\n"
                "[pathlib.Path(p).unlink(missing_ok=True) for p in sys.argv[1:3]]\n"
                "sys.exit(subprocess.call(sys.argv[3:]))")
        return [sys.executable, "-c", code, target, imported, *command]
    commands = [fresh([holt, "convert", csv, target])]
    if shutil.which("sqlite3"):
        commands.append(fresh(["sqlite3", imported, ".mode csv", f".import {csv} orders"]))
    own, *other = measure(commands, runs)
    line("convert CSV to SQLite", own, "sqlite3" if other else "", other[0] if other else None)

    if different:
        sys.exit("different results: " + ", ".join(different))


main()
