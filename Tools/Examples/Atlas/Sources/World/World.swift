/// The tables of QueryGen's migrations, declared for Relations as values with relations.
///
/// Each type declares the columns that it needs and the relations of its foreign keys.
enum World {}
