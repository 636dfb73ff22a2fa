DEFINE QUERY lists AS
SELECT list.*, count(todo.id) AS numberOfTodos
FROM list LEFT JOIN todo ON todo.list = list.id
GROUP BY list.id ORDER BY list.name;

openTodos:
SELECT todo.* FROM todo WHERE list = ? AND NOT isDone ORDER BY added;

finish:
UPDATE todo SET isDone = 1 WHERE id IN :ids;

-- name: AddTodo :exec
INSERT INTO todo (id, name, list, added, due, reminded)
VALUES (:id, :name, :list, :added, :due, :reminded);
