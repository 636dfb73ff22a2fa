import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax

/// A project with a history, and queries of several kinds.
enum Shop {
  static let files = [
    "Migrations/001_shop.sql": """
    -- A customer.
    CREATE TABLE customer (
      id INTEGER PRIMARY KEY,
      -- The full name.
      name TEXT NOT NULL,
      email TEXT
    );
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY,
      customer_id INTEGER NOT NULL REFERENCES customer (id),
      state TEXT NOT NULL CHECK (state IN ('open', 'paid')),
      total REAL
    );
    CREATE INDEX orders_by_customer ON orders (customer_id);
    """,
    "Migrations/002_views.sql": """
    ALTER TABLE customer ADD COLUMN city TEXT;
    CREATE VIEW open_orders AS SELECT id, customer_id FROM orders WHERE state = 'open';
    CREATE TRIGGER paid AFTER UPDATE OF state ON orders BEGIN
      UPDATE orders SET total = 0 WHERE id = NEW.id;
    END;
    """,
    "Queries/Customer.sql": """
    -- All customers.
    customers:
    SELECT * FROM customer ORDER BY name;

    customer:
    SELECT name, email FROM customer WHERE id = :id;

    ordersOfCustomers:
    WITH totals (customer, amount) AS (
      SELECT customer_id, sum(total) FROM orders GROUP BY customer_id
    )
    SELECT c.name AS who, t.amount
    FROM customer AS c LEFT JOIN totals AS t ON t.customer = c.id
    ORDER BY who;
    """,
    "Queries/Order.sql": """
    addOrder:
    INSERT INTO orders (customer_id, state) VALUES (:customer, 'open') RETURNING id;

    openOrders: SELECT * FROM open_orders;
    """,
  ]

  static func workspace() throws -> Workspace { try Workspace(files) }
}

extension LanguageHost {
  /// Creates a host for a project, and analyzes it.
  init(_ workspace: Workspace, encoding: PositionEncoding = .utf16) {
    self.init(folders: [workspace.path], encoding: encoding)
    finish()
  }

  /// The diagnostics of all files: path, identity, span and message.
  func report(_ workspace: Workspace) -> [String] {
    paths.flatMap { path in
      diagnostics(of: path).map { diagnostic in
        workspace.short(
          "\(path) \(diagnostic.span.range) \(diagnostic.identity.rawValue) \(diagnostic.message)")
      }
    }
  }
}

/// A text with marks such as `①`, which are removed.
struct MarkedText {
  static let marks: [Character] = ["①", "②", "③", "④", "⑤", "⑥"]
  let text: String
  /// The offsets of the marks, in their own order.
  let offsets: [ByteOffset]

  init(_ marked: String) {
    var text = ""
    var found: [Character: ByteOffset] = [:]
    for character in marked {
      if Self.marks.contains(character) {
        found[character] = ByteOffset(text.utf8.count)
      } else {
        text.append(character)
      }
    }
    self.text = text
    offsets = Self.marks.compactMap { found[$0] }
  }
}
