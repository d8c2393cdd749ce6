#!/usr/bin/env python3
"""Times whole exact distributions here, in the crate xdy, and in the Python packages icepool and dyce, in one run, and prints
one table. Needs `cargo`, and `pip install icepool dyce` for the Python columns (a missing package leaves its column empty).

    compare.py [--slow]        --slow also waits for what takes the others minutes
"""
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def icepool_cases():
    from icepool import Pool, d
    return {
        "3d6": lambda: 3 @ d(6),
        "4d6kh3": lambda: d(6).highest(4, 3),
        "2d20kh1": lambda: d(20).highest(2, 1),
        "10d10kh5": lambda: d(10).highest(10, 5),
        "20d10>=8": lambda: 20 @ (d(10) >= 8),
        "100d6": lambda: 100 @ d(6),
        "100d6kh50": lambda: d(6).highest(100, 50),
        "40d20kh20": lambda: d(20).highest(40, 20),
        "{10d6+10d8+10d10}kh10": lambda: Pool([d(6)] * 10 + [d(8)] * 10 + [d(10)] * 10).highest(10).sum(),
        "(1d100)d6": lambda: d(100) @ d(6),
        "1000d6": lambda: 1000 @ d(6),
        "500d100": lambda: 500 @ d(100),
        "1000d6kh500": lambda: d(6).highest(1000, 500),
    }


def dyce_cases():
    from dyce import H, P

    def keep(n, sides, k):
        rolls = (n @ P(sides)).rolls_with_counts(slice(n - k, None))
        return H.from_counts((sum(roll), count) for roll, count in rolls)

    return {
        "3d6": lambda: 3 @ H(6),
        "4d6kh3": lambda: keep(4, 6, 3),
        "2d20kh1": lambda: keep(2, 20, 1),
        "10d10kh5": lambda: keep(10, 10, 5),
        "20d10>=8": lambda: 20 @ (H(10).ge(8)),
        "100d6": lambda: 100 @ H(6),
        "1000d6": lambda: 1000 @ H(6),
    }


SLOW = {"1000d6", "500d100", "1000d6kh500"}


ONCE = """
import sys, time
sys.path.insert(0, sys.argv[1])
import compare
run = getattr(compare, sys.argv[2])()[sys.argv[3]]
start = time.perf_counter()
run()
print(time.perf_counter() - start)
"""


def least(load, name):
    """The least time of several runs in microseconds, each the first in a fresh interpreter: the packages keep what they
    have computed, and not all of it can be made to be forgotten."""
    best, begin = float("inf"), time.monotonic()
    for _ in range(5):
        out = subprocess.run([sys.executable, "-c", ONCE, str(HERE), load, name], check=True, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True).stdout
        best = min(best, float(out))
        if time.monotonic() - begin > 10:
            break
    return best * 1e6


def measured(load, cases, name, slow):
    if name not in cases or (name in SLOW and not slow):
        return None
    try:
        return least(load, name)
    except subprocess.CalledProcessError:  # a peer that cannot do it
        return None


def show(micros):
    if micros is None:
        return "-"
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if micros >= size:
            return "%.3g %s" % (micros / size, unit)
    return "%.3g us" % micros


def ratio(theirs, ours):
    return "-" if theirs is None else "%.0f" % (theirs / ours)


def main():
    slow = "--slow" in sys.argv[1:]
    peers = []
    for load in (icepool_cases, dyce_cases):
        try:
            peers.append((load.__name__, load()))
        except ImportError as error:
            print("left out: %s" % error, file=sys.stderr)
            peers.append((load.__name__, {}))
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=HERE, check=True)
    lines = subprocess.run([HERE / "target/release/odds-peers"], check=True, stdout=subprocess.PIPE, text=True).stdout
    row = "%-24s %10s %10s %10s %8s %8s %10s %8s %10s %8s"
    print(row % ("", "dice", "with text", "xdy", "ratio", "w. text", "icepool", "ratio", "dyce", "ratio"))
    for line in lines.splitlines():
        case = json.loads(line)
        (ours, ours_text), xdy = case["dice"], case["xdy"] or (None, None)
        icepool, dyce = (measured(*peer, case["case"], slow) for peer in peers)
        print(row % (case["case"], show(ours), show(ours_text), show(xdy[0]), ratio(xdy[0], ours), ratio(xdy[1], ours_text),
                     show(icepool), ratio(icepool, ours), show(dyce), ratio(dyce, ours)), flush=True)


if __name__ == "__main__":
    main()
