//! Rolls dice.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo)
)]

use std::process::ExitCode;

use dice::{Expr, Script};

fn main() -> ExitCode {
    let mut faces = None;
    let mut text = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if let Some(list) = arg.strip_prefix("--faces=") {
            faces = Some(list.to_owned());
        } else if arg == "--faces" {
            faces = args.next();
        } else if !matches!(&*arg, "roll" | "--json" | "--") {
            text.push(arg);
        }
    }
    match run(&text.join(" "), faces.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(text: &str, faces: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let expr: Expr = text.parse()?;
    let roll = match faces {
        Some(list) => {
            let faces: Vec<i64> = list.split(',').map(str::parse).collect::<Result<_, _>>()?;
            let mut script = Script::new(faces);
            let roll = expr.roll(&mut script)?;
            script.exhausted()?;
            roll
        }
        None => expr.roll(&mut rand::rng())?,
    };
    let totals: Vec<String> =
        roll.outcomes().iter().map(|o| format!("{{\"total\":\"{}\"}}", o.total().exact())).collect();
    println!("{{\"notation\":{:?},\"results\":[{}]}}", expr.to_string(), totals.join(","));
    Ok(())
}
