tracksOfTitle:
SELECT track.* FROM track JOIN album ON album.id = track.album_id
WHERE album.title = :title ORDER BY track.id;

addAlbum:
INSERT INTO album (title, released_on) VALUES (:title, :date) RETURNING *;

findTracks:
SELECT id, title FROM track WHERE id IN :ids ORDER BY id;
