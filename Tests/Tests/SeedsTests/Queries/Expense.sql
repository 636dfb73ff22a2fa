DEFINE QUERY latestExpenses AS
SELECT id, title, amount FROM expense
WHERE date BETWEEN ? AND ?;

DEFINE QUERY fetchString AS
SELECT coalesce(max(title), 'nothing') FROM expense WHERE id = ?;
