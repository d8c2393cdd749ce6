#!/usr/bin/env python3
"""Whole processes and rolls inside one, side by side with d20 (Python) and @dice-roller/rpg-dice-roller (Node).

    cargo build --release                                   # in the folder of the crate
    pip install d20; npm install @dice-roller/rpg-dice-roller
    python3 benches/peers/processes.py [ROUNDS]             # from the folder of node_modules, or with NODE_PATH set

Each round runs everything once; the best of all rounds counts. What is not installed is left out.
"""

import pathlib
import subprocess
import sys
import time

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
DICE = pathlib.Path(__file__).resolve().parents[2] / "target/release/dice"

# This crate's text, d20's, the roller's.
CASES = [
    ("1d20", "1d20", "1d20"),
    ("4d6kh3", "4d6kh3", "4d6kh3"),
    ("2d6+1d4+3", "2d6+1d4+3", "2d6+1d4+3"),
    ("10d10!>8", "10d10e>8", "10d10!>8"),
    ("100d6kh50", "100d6kh50", "100d6kh50"),
    ("1000d6", "1000d6", None),  # the roller throws 999 dice at most
]

PYTHON = """
import sys, time, random, d20
random.seed(42)
text, times = sys.argv[1], int(sys.argv[2])
roller = d20.Roller(d20.RollContext(1_000_000))
start = time.perf_counter()
for _ in range(times):
    roller.roll(text)
print((time.perf_counter() - start) / times * 1e9)
"""

NODE = """
const { DiceRoll, NumberGenerator } = require('@dice-roller/rpg-dice-roller');
NumberGenerator.generator.engine = { next: (() => { let x = 42 | 0; return () => { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; return x; }; })() };
const [text, times] = [process.argv[1], Number(process.argv[2])];
for (let i = 0; i < times / 10; i++) new DiceRoll(text).total;
const start = process.hrtime.bigint();
for (let i = 0; i < times; i++) new DiceRoll(text).total;
console.log(Number(process.hrtime.bigint() - start) / times);
"""


def run(command):
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    spent = time.perf_counter() - start
    return (spent, done.stdout) if done.returncode == 0 else None


def best(results):
    good = [result for result in results if result]
    if not good:
        return "—", "—"
    inside = [float(out) for _, out in good if out.strip().replace(".", "", 1).isdigit()]
    whole = f"{min(spent for spent, _ in good) * 1000:.1f}"
    return whole, f"{min(inside) / 1000:.1f}" if inside else "—"


def main():
    print("| case | dice, process (ms) | d20 | roller | d20, parse and roll (µs) | roller, parse and roll (µs) |")
    print("|---|---:|---:|---:|---:|---:|")
    for text, python, node in CASES:
        once = {
            "dice": [str(DICE), "roll", "--", text],
            "d20": [sys.executable, "-c", PYTHON, python, "1"],
            "roller": ["node", "-e", NODE, node, "1"] if node else None,
            "d20 inside": [sys.executable, "-c", PYTHON, python, "300"],
            "roller inside": ["node", "-e", NODE, node, "1000"] if node else None,
        }
        results = {name: [] for name in once}
        for _ in range(ROUNDS):
            for name, command in once.items():
                results[name].append(run(command) if command else None)
        whole = [best(results[name])[0] for name in ("dice", "d20", "roller")]
        inside = [best(results[name])[1] for name in ("d20 inside", "roller inside")]
        print(f"| `{text}` | {' | '.join(whole + inside)} |", flush=True)


main()
