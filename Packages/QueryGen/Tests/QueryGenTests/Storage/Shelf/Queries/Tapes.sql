DEFINE QUERY addTapes AS
INSERT INTO tape VALUES :tapes;

DEFINE QUERY tapesOnShelf AS
SELECT * FROM tape ORDER BY id;

DEFINE QUERY tapesInAttic AS
SELECT * FROM attic.tape WHERE minutes >= :least ORDER BY id;

-- Moves a tape to the attic.
DEFINE QUERY storeTape AS
BEGIN
  INSERT INTO attic.tape (id, title, minutes, box, condition)
  SELECT id, title, minutes, :box, :condition
  FROM tape
  WHERE id = :id;
  DELETE FROM tape WHERE id = :id;
END;

DEFINE QUERY addBox AS
INSERT INTO box (room) VALUES (:room) RETURNING id;

DEFINE QUERY copiesOfTapes AS
SELECT tape.*, copy.* FROM tape JOIN attic.tape AS copy ON copy.title = tape.title;

DEFINE QUERY titlesOfLongTapes AS
SELECT title FROM long_tape ORDER BY title;

DEFINE QUERY anyTapes AS
SELECT * FROM any_tape ORDER BY id;
