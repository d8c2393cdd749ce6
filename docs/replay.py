#!/usr/bin/env python3
"""Replays a log: python3 replay.py LOG. It follows throws and explosions; rerolls draw from other faces."""
import hashlib, itertools, json, struct, sys

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

def throw(source, sides, left):  # so many dice share a word that sides ** dice is at most 2 ** 48
    while left:
        size = min(left, next(n for n in itertools.count(1) if sides ** (n + 1) > 2**48))
        word = next(w for w in source if w * sides**size % 2**64 >= 2**64 % sides**size)
        for left in range(left - 1, left - size - 1, -1):
            yield word * sides // 2**64 + 1
            word = word * sides % 2**64

lines = [json.loads(line) for line in open(sys.argv[1])]
source = words(lines[-1]["seed"])
for roll in (line["result"] for line in lines if line["kind"] == "roll"):
    extras = itertools.count(1)  # a pool is thrown at once, an extra die on its own
    for (sides, *_), dice in itertools.groupby(roll["dice"], lambda d: (d["sides"], d["pool"], d["from"] is not None and next(extras))):
        faces = [die["face"] for die in dice]
        assert list(throw(source, sides, len(faces))) == faces, roll["notation"]
    print(roll["notation"], "is what the seed gives")
