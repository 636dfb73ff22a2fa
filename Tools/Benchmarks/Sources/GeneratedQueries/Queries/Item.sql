DEFINE QUERY allItems AS SELECT * FROM item;

DEFINE QUERY itemOf AS SELECT * FROM item WHERE id = ?;

DEFINE QUERY rename AS UPDATE item SET name = :name, note = :note WHERE id = :id;
