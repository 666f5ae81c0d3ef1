//! The tests of models inside the application.

mod convert;
mod engine;
mod model;
mod numbers;
mod reading;
mod real;
mod text;
