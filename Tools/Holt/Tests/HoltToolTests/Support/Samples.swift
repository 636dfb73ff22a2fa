/// Sample files for the tests.
enum Samples {
  static let towns = """
    [{"id":1,"name":"Oslo","country":"NO","people":709037,"at":{"lat":59.91}},
    {"id":2,"name":"Reykjavík","country":"IS","people":139000,"at":{"lat":64.15}},
    {"id":3,"name":"東京","country":"JP","people":14094034,"at":{"lat":35.69}}]
    """
  static let orders = "id,town,sum\n1,1,12.50\n2,3,8.25\n3,1,100.00\n"
  static let library = """
    PRAGMA user_version = 3;
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, cover BLOB,
      author INTEGER NOT NULL REFERENCES author(id) ON DELETE CASCADE);
    CREATE INDEX book_author ON book (author);
    CREATE VIEW titles AS SELECT title, name FROM book JOIN author ON author.id = author;
    CREATE TRIGGER book_trim AFTER INSERT ON book
      BEGIN UPDATE book SET title = trim(title) WHERE id = new.id; END;
    INSERT INTO author VALUES (1, 'George Eliot', 1819), (2, 'Sappho', NULL);
    INSERT INTO book VALUES (1, 'Middlemarch', x'00ff', 1), (2, 'Silas Marner', NULL, 1);
    """
}
