import ApolloConcurrency
import ApolloCache
import Foundation

extension NormalizedCacheConformance {
  // MARK: Reading

  static let reading = [
    NormalizedCacheConformance("Values of every kind come back as they were") { cache in
      let fields: Record.Fields = [
        "null": nil, "true": true, "false": false, "zero": 0, "one": 1, "least": .int(.min), "most": .int(.max),
        "half": 0.5, "whole": .double(3), "tiny": .double(.leastNonzeroMagnitude), "text": "a \"b\" \\ \u{0} \n é 🚀",
        "empty": "",
        "json": .json(#"{"a":[1,null,{"b":"c"}]}"#), "reference": .reference("Human:1000"),
        "references": [.reference("a"), nil, .reference("b")], "list": [1, nil, [2, [3]], []],
        "object": ["__typename": "Size", "meters": 0.96, "inner": ["name": "x", "of": .reference("Human:1")]],
        "error": .error(#"{"message":"no","path":[]}"#), "__typename": "Droid",
      ]
      try await cache.merge(records: ["Droid:1": fields])
      let found = try await cache.record("Droid:1")
      try expect(found?.key, equals: "Droid:1", "the key")
      for (name, value) in fields { try expect(found?[name], equals: value, "the field '\(name)'") }
      try expect(found?.fields.count, equals: fields.count, "the number of fields")
    },
    NormalizedCacheConformance("Keys that are not there are left out") { cache in
      try await cache.merge(records: ["a": ["x": 1]])
      try expect(Set(try await cache.loadRecords(forKeys: ["a", "b"]).keys), equals: ["a"], "the keys")
      try expect(try await cache.loadRecords(forKeys: []).count, equals: 0, "the records of no keys")
    },
    NormalizedCacheConformance("Many records are loaded at once") { cache in
      let records = (0..<5000).map { Record(key: "Item:\($0)", ["id": .int($0)]) }
      try await cache.merge(records: RecordSet(records: records))
      let loaded = try await cache.loadRecords(forKeys: Set(records.map(\.key)))
      try expect(loaded.count, equals: 5000, "the number of records")
      try expect(loaded["Item:4711"]?["id"], equals: 4711, "one of them")
    },
    NormalizedCacheConformance("The time of the last response is kept, to the second") { cache in
      let date = Date(timeIntervalSince1970: 1_700_000_000)
      try await cache.merge(records: RecordSet(records: [Record(key: "a", ["x": 1], receivedAt: date)]))
      try expect(try await cache.record("a")?.receivedAt, equals: date, "the time")
    },
    NormalizedCacheConformance("Each field keeps the time of the last response that had it, to the second") { cache in
      let first = Date(timeIntervalSince1970: 1_700_000_000), second = Date(timeIntervalSince1970: 1_700_000_060)
      try await cache.merge(
        records: RecordSet(records: [Record(key: "a", ["x": 1, "y": 1, "z(first:10)": 1], receivedAt: first)]))
      try await cache.merge(records: RecordSet(records: [Record(key: "a", ["x": 2, "w": 2], receivedAt: second)]))
      let record = try await cache.record("a")
      try expect(record?.receivedAt, equals: second, "the time of the record")
      try expect(record?.dates, equals: ["y": first, "z(first:10)": first], "the times of the other fields")
    },
    NormalizedCacheConformance("Each field keeps until when the last response allows its use, to the second") { cache in
      let first = Date(timeIntervalSince1970: 1_700_000_000), expiry = Date(timeIntervalSince1970: 1_700_000_060)
      var record = Record(key: "a", ["x": 1, "y(first:10)": 1, "z": 1], receivedAt: first)
      record.expirations = ["x": expiry, "y(first:10)": expiry]
      try await cache.merge(records: RecordSet(records: [record]))
      try expect(
        try await cache.record("a")?.expirations, equals: ["x": expiry, "y(first:10)": expiry], "the expirations")
      // A response that says nothing of it takes it back.
      try await cache.merge(records: RecordSet(records: [Record(key: "a", ["x": 1], receivedAt: expiry)]))
      let found = try await cache.record("a")
      try expect(found?.expirations, equals: ["y(first:10)": expiry], "the expirations after another response")
      try expect(found?.dates, equals: ["y(first:10)": first, "z": first], "the times of the other fields")
    },
  ]

  // MARK: Merging

  static let merging = [
    NormalizedCacheConformance("Fields that come in replace those that are there, all others stay") { cache in
      try await cache.merge(records: ["a": ["x": 1, "y": [1, 2]]])
      try await cache.merge(records: ["a": ["y": [3], "z": nil]])
      let found = try await cache.record("a")
      try expect(found?.fields, equals: ["x": 1, "y": [3], "z": nil], "the fields")
    },
    NormalizedCacheConformance("A merge returns the fields that are new or have another value") { cache in
      try expect(try await cache.merge(records: ["a": ["x": 1, "y": 2]]), equals: ["a.x", "a.y"], "of a new record")
      try expect(
        try await cache.merge(records: ["a": ["x": 1, "y": 3], "b": ["x": nil]]), equals: ["a.y", "b.x"], "of changes")
      try expect(try await cache.merge(records: ["a": ["x": 1, "y": 3]]), equals: [], "of what was there")
    },
    NormalizedCacheConformance("Null is a value: it is not the same as no field") { cache in
      try await cache.merge(records: ["a": ["x": nil]])
      try expect(try await cache.record("a")?["x"], equals: Record.Value.null, "the field")
      try expect(try await cache.record("a")?["y"], equals: nil, "another field")
    },
    NormalizedCacheConformance("An empty set of records changes nothing") { cache in
      try await cache.merge(records: ["a": ["x": 1]])
      try expect(try await cache.merge(records: [:]), equals: [], "the changed keys")
      try expect(try await cache.record("a")?.fields, equals: ["x": 1], "the fields")
    },
    NormalizedCacheConformance("Writing and reading may come from different threads, one after the other") { cache in
      // Safe: the cache under test, which is called by one task at a time.
      nonisolated(unsafe) let handed = cache
      for round in 0..<50 {
        await Task.detached { _ = try? await handed.merge(records: ["a": ["x": .int(round)]]) }.value
        try expect(try await cache.record("a")?["x"], equals: .int(round), "the field")
      }
    },
  ]

  // MARK: Removing

  static let removing = [
    NormalizedCacheConformance("A removed record is gone, references to it stay") { cache in
      try await cache.merge(records: ["a": ["b": .reference("b")], "b": ["x": 1]])
      try await cache.removeRecord(for: "b")
      try expect(try await cache.record("b"), equals: nil, "the record")
      try expect(try await cache.record("a")?.fields, equals: ["b": .reference("b")], "the reference")
      try await cache.removeRecord(for: "never there")
      try await cache.merge(records: ["b": ["y": 2]])
      try expect(try await cache.record("b")?.fields, equals: ["y": 2], "the record that came back")
    },
    NormalizedCacheConformance("A pattern with a star stands for whole keys, another for a part of any case") { cache in
      let keys: Set<CacheKey> = ["Human:1", "Human:2", "Superhuman:1", "Droid:1", "x%_y", "QUERY_ROOT"]
      func left(after pattern: String) async throws -> Set<CacheKey> {
        try await cache.clear()
        try await cache.merge(records: RecordSet(records: keys.map { Record(key: $0, ["x": 1]) }))
        try await cache.removeRecords(matching: pattern)
        return Set(try await cache.loadRecords(forKeys: keys).keys)
      }
      try expect(try await left(after: "Human:*"), equals: keys.subtracting(["Human:1", "Human:2"]), "Human:*")
      try expect(try await left(after: "*:1"), equals: keys.subtracting(["Human:1", "Superhuman:1", "Droid:1"]), "*:1")
      try expect(try await left(after: "H*:2"), equals: keys.subtracting(["Human:2"]), "H*:2")
      try expect(
        try await left(after: "human"), equals: keys.subtracting(["Human:1", "Human:2", "Superhuman:1"]), "human")
      try expect(try await left(after: "%_"), equals: keys.subtracting(["x%_y"]), "%_")
      try expect(try await left(after: "nothing"), equals: keys, "nothing")
    },
    NormalizedCacheConformance("A cleared cache is empty and can be used again") { cache in
      try await cache.merge(records: ["a": ["x": 1], "b": ["x": 1]])
      try await cache.clear()
      try expect(try await cache.loadRecords(forKeys: ["a", "b"]).count, equals: 0, "the number of records")
      try await cache.clear()
      try expect(try await cache.merge(records: ["a": ["x": 1]]), equals: ["a.x"], "the changed keys")
    },
  ]

  // MARK: Listing

  static let listing = [
    NormalizedCacheConformance("A backend that lists its keys gives each once, sorted by bytes, in pages") { cache in
      guard let cache = cache as? any EnumerableNormalizedCache else { return }
      try expect(try await cache.keys(after: nil, limit: 10), equals: [], "the keys of an empty cache")
      let keys = ["A", "A:1", "A:10", "A:2", "a", "Z", "é", "ü", "\u{fffd}", "🚀", "x%_y", "QUERY_ROOT"].sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      try await cache.merge(records: RecordSet(records: keys.map { Record(key: $0, ["x": 1]) }))
      for limit in [1, 2, 5, keys.count, 1000] {
        var found: [CacheKey] = []
        while case let page = try await cache.keys(after: found.last, limit: limit), !page.isEmpty {
          try expect(page.count <= limit, "a page of \(page.count) keys, where the limit is \(limit)")
          found += page
          try expect(found.count <= keys.count, "keys are given twice: \(found)")
        }
        try expect(found.map { Array($0.utf8) }, equals: keys.map { Array($0.utf8) }, "the keys in pages of \(limit)")
      }
      try expect(try await cache.keys(after: "A:11", limit: 1), equals: ["A:2"], "the key after one that is not there")
      try await cache.removeRecord(for: "A:2")
      try expect(try await cache.keys(after: "A:10", limit: 1), equals: ["QUERY_ROOT"], "the key after a removed one")
    }
  ]

  // MARK: Names and sizes

  static let hardNames = [
    NormalizedCacheConformance("Keys may have every Unicode character, and differ if their characters do") { cache in
      let scalars = (0...0x10ffff).compactMap(Unicode.Scalar.init)
      var records: [Record] = []
      for start in stride(from: 0, to: scalars.count, by: 512) {
        var key = "T:"
        key.unicodeScalars.append(contentsOf: scalars[start..<min(start + 512, scalars.count)])
        records.append(Record(key: key, ["at": .int(start), "text": .string(key)]))
      }
      // One more of each that languages, databases and file systems treat specially.
      for special in ["'", "\"", "\\", "%", "_", ";", "--", "\0", "\u{1}", "\n", "\u{fffd}", "\u{10ffff}", " ", ""] {
        records.append(Record(key: "S:" + special, ["text": .string(special)]))
      }
      try await cache.merge(records: RecordSet(records: records))
      let loaded = try await cache.loadRecords(forKeys: Set(records.map(\.key)))
      try expect(loaded.count, equals: records.count, "the number of records")
      for record in records { try expect(loaded[record.key]?.fields, equals: record.fields, "a record") }
    },
    NormalizedCacheConformance("Field names may have arguments with every character") { cache in
      let fields: Record.Fields = [
        #"search(text:"a\"b.c)d")"#: 1, "friends(first:10)": 2, "friends": 3, "f(a:{\"b\":[1,null]})": 4,
        "f(é:\"🚀\")": 5,
      ]
      try await cache.merge(records: ["a": fields])
      try expect(try await cache.record("a")?.fields, equals: fields, "the fields")
    },
    NormalizedCacheConformance("A record may be large") { cache in
      var fields: Record.Fields = ["text": .string(String(repeating: "é", count: 1_000_000))]
      for index in 0..<10_000 { fields["field(index:\(index))"] = .int(index) }
      fields["list"] = .list((0..<10_000).map { .reference("Item:\($0)") })
      try await cache.merge(records: ["large": fields])
      try expect(try await cache.record("large")?.fields == fields, "the large record came back changed")
    },
  ]
}
