"""Replays the plain dice of a log, explosions and rerolls included: python3 replay_log.py LOG."""
import itertools, json, re, sys
from replay import throw, words

def faces(die, dice):  # one that is rerolled until a test fails is drawn from the faces that fail it
    every, step = range(1, die["sides"] + 1), "" if die["from"] is None else dice[die["from"]]["by"] or ""
    test = re.fullmatch("r(<=|>=|<|>|)([0-9]+)", step)
    return [face for face in every if not eval(f"{face} {test[1] or '=='} {test[2]}")] if test else every

lines = [json.loads(line) for line in open(sys.argv[1])]
for at, line in enumerate(lines):
    if line["kind"] == "begin":
        source = words(next(end["seed"] for end in lines[at:] if end["kind"] == "end"))
    for roll in line["result"].get("results", [line["result"]]) if line["kind"] == "roll" else []:
        extras = itertools.count(1)  # a pool is thrown at once, an extra or rerolled die on its own
        for _, group in itertools.groupby(roll["dice"], lambda d: (d["pool"], d["from"] is not None and next(extras))):
            group = list(group)
            if list(throw(source, faces(group[0], roll["dice"]), len(group))) != [die["face"] for die in group]:
                sys.exit(f"{line['text']}: not what the seed gives")
        print(line["text"], "is what the seed gives")
