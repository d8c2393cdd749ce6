//! Rolls dice.
fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match line.parse::<dice::Expr>() {
            Ok(e) => println!("ok    {line}   ->   {e}"),
            Err(e) => println!("ERROR {line}\n{e}"),
        }
    }
}
