"""The dice that a seed gives, thrown at once: python3 replay.py SEED SIDES COUNT. The seed is in the log and in -v."""
import hashlib, itertools, struct, sys

def words(seed):  # ChaCha of 8 rounds: the key is the SHA-256 of the seed, the nonce is 0
    key, mask = struct.unpack("<8I", hashlib.sha256(seed.encode()).digest()), 2**32 - 1
    for block in itertools.count():
        x = (start := [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, block & mask, block >> 32, 0, 0])[:]
        for q in list(range(8)) * 4:  # four columns, then four diagonals
            a, b, c, d = [4 * n + (q + n * (q // 4)) % 4 for n in range(4)]
            for (i, j, k), turn in zip([(a, b, d), (c, d, b)] * 2, (16, 12, 8, 7)):
                x[i] = x[i] + x[j] & mask
                x[k] = ((x[k] ^ x[i]) << turn | (x[k] ^ x[i]) >> 32 - turn) & mask
        yield from ((x[n] + start[n] & mask) | (x[n + 1] + start[n + 1] & mask) << 32 for n in range(0, 16, 2))

def throw(source, faces, left):  # so many dice share a word that sides ** dice is at most 2 ** 48; one face needs none
    while left and (sides := len(faces)) > 1:
        size = min(left, next(n for n in itertools.count(1) if sides ** (n + 1) > 2**48))
        word = next(w for w in source if w * sides**size % 2**64 >= 2**64 % sides**size)
        yield from (faces[word * sides**n % 2**64 * sides >> 64] for n in range(size))
        left -= size
    yield from [faces[0]] * left

if __name__ == "__main__":
    print(*throw(words(sys.argv[1]), range(1, int(sys.argv[2]) + 1), int(sys.argv[3])))
