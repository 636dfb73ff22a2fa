DEFINE QUERY storedTapes AS
SELECT * FROM tape ORDER BY id;

DEFINE QUERY entries AS
SELECT tape FROM entry;
