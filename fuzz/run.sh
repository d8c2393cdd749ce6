#!/bin/bash
# Runs one fuzz target for some seconds: fuzz/run.sh TARGET [SECONDS]. Needs cargo-fuzz; a stable compiler will do.
set -eu
cd "$(dirname "$0")/.."
target=$1 seconds=${2:-900}
export RUSTC_BOOTSTRAP=1
mkdir -p "fuzz/corpus/$target"
dictionary=fuzz/dice.dict length=512
if [ "$target" = load_grammar ]; then
    dictionary=fuzz/grammar.dict length=16384
    cp dice.pest "fuzz/corpus/$target/dice.pest"
    [ ! -d examples/grammars ] || cp examples/grammars/* "fuzz/corpus/$target/"
else
    # Each line of the seeds is a text of its own.
    count=0
    while IFS= read -r line; do
        count=$((count + 1))
        printf '%s' "$line" > "fuzz/corpus/$target/seed-$count"
    done < <(cat fuzz/seeds/*.txt)
fi
exec cargo fuzz run --sanitizer none "$target" -- -dict="$dictionary" -max_len="$length" -timeout=10 -rss_limit_mb=2048 \
    -max_total_time="$seconds" -print_final_stats=1 "${@:3}"
