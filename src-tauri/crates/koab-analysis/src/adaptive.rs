//! What a whole run would give, from the items that tell most.

pub mod rasch;
