//! Alamein beside VASL, whose own engine has ruled on lines of its boards in advance.
//!
//! | module | what it is |
//! |---|---|
//! | [`golden`] | the tables of VASL's answers |
//! | [`picture`] | the pixels of a board, and which hex each is in |
//! | [`walk`] | which pixels VASL looks at along a line |
//! | [`peer`] | what it makes of them, as it is and with its known fault taken out |
//! | [`difference`] | why it and Alamein differ |
//! | [`compare`] | a board's lines, ruled on by both |
//! | [`outcome`] | what came of that |
//! | [`report`] | the same in words |
//!
//! [`walk`] and [`peer`] are an account of VASL written anew from what it does. It is held to VASL's
//! own answers, to the very pixel, on every line compared of boards with hills or hillocks; so where it
//! says why VASL answers so, it is not guessing. It knows no other terrain than these and Open Ground.

pub mod compare;
pub mod difference;
pub mod golden;
pub mod outcome;
pub mod peer;
pub mod picture;
pub mod report;
pub mod walk;
