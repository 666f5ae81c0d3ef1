// The wire types under one roof. `gen/` is written by `cargo xtask gen` and never edited.
export type * from './gen';
