DEFINE QUERY addVisit AS
INSERT INTO visit (id, day, answers) VALUES (:id, :day, :answers);

DEFINE QUERY endVisit AS
UPDATE visit SET ended = :ended WHERE id = :id;

DEFINE QUERY visitsOf AS
SELECT * FROM visit WHERE day BETWEEN :first AND :last AND day = date(day) ORDER BY id;
