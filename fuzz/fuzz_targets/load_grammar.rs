#![no_main]
libfuzzer_sys::fuzz_target!(|text: &str| checks::load_grammar(text));
