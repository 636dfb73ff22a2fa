DEFINE QUERY markTape AS
INSERT INTO mark (tape, color)
VALUES (:tape, :color)
ON CONFLICT (tape) DO UPDATE SET color = excluded.color;

DEFINE QUERY marks AS
SELECT * FROM mark ORDER BY tape;

DEFINE QUERY markedTapes AS
SELECT tape.*, mark.color FROM mark JOIN tape ON tape.id = mark.tape ORDER BY tape.id;
