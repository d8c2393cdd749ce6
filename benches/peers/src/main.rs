//! Compares this crate with others, side by side; see README.md.

extern crate alloc; // what pest_derive writes names it
mod growth;
mod peers;
mod table;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rounds = |at: usize, default: u32| args.get(at).and_then(|word| word.parse().ok()).unwrap_or(default);
    match args.first().map_or("all", String::as_str) {
        "peers" => table::print(rounds(1, 400)),
        "growth" => growth::print(rounds(1, 30)),
        "peak" => growth::peak(&args[1], &args[2]),
        _ => {
            table::print(400);
            growth::print(30);
        }
    }
}
