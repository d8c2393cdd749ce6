#!/usr/bin/env python3
"""Times whole exact distributions here, in the crate xdy, and in the Python packages icepool and dyce, in one run, and prints
one table. Needs `cargo`, and `pip install icepool dyce` for the Python columns (a missing package leaves its column empty).

    compare.py [--slow] [--cap SECONDS]

--slow also runs what takes the Python packages minutes, once, and stops each after SECONDS (120 unless told).
"""
import argparse
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

# The packages recurse as deep as there are dice, so they get a deep stack.
ONCE = """
import sys, threading, time
sys.path.insert(0, sys.argv[1])
sys.setrecursionlimit(10 ** 6)
threading.stack_size(1 << 30)
def once():
    import compare
    run = getattr(compare, sys.argv[2])()[sys.argv[3]]
    start = time.perf_counter()
    run()
    print(time.perf_counter() - start, flush=True)
thread = threading.Thread(target=once)
thread.start()
thread.join()
"""


class Time:
    """A time in microseconds, or the time after which a peer was stopped, so that its true time is longer."""

    def __init__(self, micros, stopped=False):
        self.micros, self.stopped = micros, stopped

    def __str__(self):
        return (">" if self.stopped else "") + show(self.micros)


def measured(load, cases, name, options):
    """The least time of several runs, each the first in a fresh interpreter: the packages keep what they have computed,
    and not all of it can be made to be forgotten. `None` where a peer cannot do it or is left out."""
    if name not in cases or (name in SLOW and not options.slow):
        return None
    best, begin = None, time.monotonic()
    for _ in range(5):
        try:
            out = subprocess.run([sys.executable, "-c", ONCE, str(HERE), load, name], check=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True, timeout=options.cap).stdout
        except subprocess.TimeoutExpired:
            return best or Time(options.cap * 1e6, stopped=True)
        except subprocess.CalledProcessError:
            return None
        if not out:  # the thread failed
            return None
        best = Time(min(float(out) * 1e6, best.micros if best else float("inf")))
        if time.monotonic() - begin > 10:
            break
    return best


def show(micros):
    if micros is None:
        return "-"
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if micros >= size:
            return "%.3g %s" % (micros / size, unit)
    return "%.3g us" % micros


def ratio(theirs, ours):
    if theirs is None:
        return "-"
    if isinstance(theirs, Time):
        return (">" if theirs.stopped else "") + "%.0f" % (theirs.micros / ours)
    return "%.0f" % (theirs / ours)


def main():
    parser = argparse.ArgumentParser(description="Times whole exact distributions side by side.")
    parser.add_argument("--slow", action="store_true", help="also run what takes the Python packages minutes")
    parser.add_argument("--cap", type=float, default=120, help="seconds after which a run is stopped")
    options = parser.parse_args()
    peers = []
    for load in (icepool_cases, dyce_cases):
        try:
            peers.append((load.__name__, load()))
        except ImportError as error:
            print("left out: %s" % error, file=sys.stderr)
            peers.append((load.__name__, {}))
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=HERE, check=True)
    lines = subprocess.run([HERE / "target/release/odds-peers"], check=True, stdout=subprocess.PIPE, text=True).stdout
    row = "%-24s %10s %10s %10s %8s %8s %10s %9s %10s %9s"
    print(row % ("", "dice", "with text", "xdy", "ratio", "w. text", "icepool", "ratio", "dyce", "ratio"))
    for line in lines.splitlines():
        case = json.loads(line)
        (ours, ours_text), xdy = case["dice"], case["xdy"] or (None, None)
        icepool, dyce = (measured(*peer, case["case"], options) for peer in peers)
        print(row % (case["case"], show(ours), show(ours_text), show(xdy[0]), ratio(xdy[0], ours), ratio(xdy[1], ours_text),
                     icepool or "-", ratio(icepool, ours), dyce or "-", ratio(dyce, ours)), flush=True)


if __name__ == "__main__":
    main()
