/// Queries without a database: for tests, previews, and whatever else can answer.
public enum Queries {}
