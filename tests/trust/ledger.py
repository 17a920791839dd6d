# SPDX-License-Identifier: Apache-2.0
"""What the scripts beside have seen: rows of tests/trust/counts.csv, and ledgers that runs resume from."""
import csv
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = HERE / "counts.csv"


def rows(path):
    if not path.is_file():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, fields, entries):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(entries)


def count(counted, command):
    """Puts these counts in place of those of the same names."""
    new = {what: {"what": what, "count": n, "command": command} for what, n in counted.items()}
    write(COUNTS, ["what", "count", "command"], [new.pop(r["what"], r) for r in rows(COUNTS)] + list(new.values()))
