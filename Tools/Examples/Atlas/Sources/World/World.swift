/// The tables as values that know their neighbours: what QueryGen's migrations have made, read by Relations.
///
/// Each type says the columns that it needs, and what its foreign keys lead to.
enum World {}
