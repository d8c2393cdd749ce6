"""Replays the plain dice of a log, explosions and rerolls included: python3 replay.py LOG."""
import hashlib, itertools, json, re, struct, sys

def words(seed):  # ChaCha of 8 rounds: the key is the SHA-256 of the seed, the nonce is 0
    key, mask = struct.unpack("<8I", hashlib.sha256(seed.encode()).digest()), 2**32 - 1
    for block in itertools.count():
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, block & mask, block >> 32, 0, 0]
        x = start[:]
        for q in list(range(8)) * 4:  # four columns, then four diagonals
            a, b, c, d = [4 * n + (q + n * (q // 4)) % 4 for n in range(4)]
            for (i, j, k), turn in zip([(a, b, d), (c, d, b)] * 2, (16, 12, 8, 7)):
                x[i] = x[i] + x[j] & mask
                x[k] = ((x[k] ^ x[i]) << turn | (x[k] ^ x[i]) >> 32 - turn) & mask
        out = [a + b & mask for a, b in zip(x, start)]
        yield from (low | high << 32 for low, high in zip(out[::2], out[1::2]))

def throw(source, faces, left):  # so many dice share a word that sides ** dice is at most 2 ** 48; one face needs none
    while left and (sides := len(faces)) > 1:
        size = min(left, next(n for n in itertools.count(1) if sides ** (n + 1) > 2**48))
        word = next(w for w in source if w * sides**size % 2**64 >= 2**64 % sides**size)
        for left in range(left - 1, left - size - 1, -1):
            yield faces[word * sides >> 64]
            word = word * sides % 2**64
    yield from [faces[0]] * left

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
