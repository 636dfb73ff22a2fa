CREATE TABLE box (
  id INTEGER PRIMARY KEY,
  room TEXT NOT NULL
);

CREATE TABLE tape (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  minutes INTEGER NOT NULL,
  box INTEGER REFERENCES box (id),
  condition TEXT NOT NULL CHECK (condition IN ('good', 'worn'))
);

CREATE TABLE entry (tape INTEGER NOT NULL);

CREATE TRIGGER tape_stored AFTER INSERT ON tape BEGIN
  INSERT INTO entry VALUES (new.id);
END;
