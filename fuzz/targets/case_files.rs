#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| alamein_fuzzed::run("case_files", bytes));
