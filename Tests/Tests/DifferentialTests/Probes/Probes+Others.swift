extension Probes {
  /// Other statements, one per line.
  static let others = lines(
    #"""
    ATTACH 'x.db' AS aux1
    ATTACH DATABASE ':memory:' AS 'aux two' KEY 'k'
    ATTACH ? AS ?
    ATTACH a AS b
    DETACH aux1
    DETACH DATABASE main
    BEGIN; 
    BEGIN DEFERRED TRANSACTION foo
    BEGIN EXCLUSIVE
    COMMIT TRANSACTION
    END
    ROLLBACK TRANSACTION TO SAVEPOINT x
    ROLLBACK TO x
    SAVEPOINT 'x y'
    RELEASE x
    RELEASE SAVEPOINT "x"
    VACUUM main
    VACUUM nope
    VACUUM main INTO 'f' || 'g'
    VACUUM INTO ?
    ANALYZE main.t1
    ANALYZE i1
    ANALYZE nope
    ANALYZE sqlite_schema
    REINDEX main.i1
    REINDEX nocase
    REINDEX nope
    EXPLAIN DELETE FROM t1
    EXPLAIN QUERY PLAN INSERT INTO t1 VALUES (1,2,3)
    EXPLAIN EXPLAIN SELECT 1
    EXPLAIN
    PRAGMA table_info = t1
    PRAGMA main.table_info(t1)
    PRAGMA cache_size = 1 + 1
    PRAGMA nope
    PRAGMA main.nope = 1
    PRAGMA
    ;
    """#)
}
