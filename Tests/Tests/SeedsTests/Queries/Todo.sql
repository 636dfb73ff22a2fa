DEFINE QUERY selectTodos AS
SELECT * FROM todo;
