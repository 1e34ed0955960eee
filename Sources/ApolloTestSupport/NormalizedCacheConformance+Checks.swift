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
      try expectEqual(found?.key, "Droid:1", "the key")
      for (name, value) in fields { try expectEqual(found?[name], value, "the field '\(name)'") }
      try expectEqual(found?.fields.count, fields.count, "the number of fields")
    },
    NormalizedCacheConformance("Keys that are not there are left out") { cache in
      try await cache.merge(records: ["a": ["x": 1]])
      try expectEqual(Set(try await cache.loadRecords(forKeys: ["a", "b"]).keys), ["a"], "the keys")
      try expectEqual(try await cache.loadRecords(forKeys: []).count, 0, "the records of no keys")
    },
    NormalizedCacheConformance("Many records are loaded at once") { cache in
      let records = (0..<5000).map { Record(key: "Item:\($0)", ["id": .int($0)]) }
      try await cache.merge(records: RecordSet(records: records))
      let loaded = try await cache.loadRecords(forKeys: Set(records.map(\.key)))
      try expectEqual(loaded.count, 5000, "the number of records")
      try expectEqual(loaded["Item:4711"]?["id"], 4711, "one of them")
    },
    NormalizedCacheConformance("The time of the last response is kept, to the second") { cache in
      let date = Date(timeIntervalSince1970: 1_700_000_000)
      try await cache.merge(records: RecordSet(records: [Record(key: "a", ["x": 1], receivedAt: date)]))
      try expectEqual(try await cache.record("a")?.receivedAt, date, "the time")
    },
    NormalizedCacheConformance("Each field keeps the time of the last response that had it, to the second") { cache in
      let first = Date(timeIntervalSince1970: 1_700_000_000), second = Date(timeIntervalSince1970: 1_700_000_060)
      try await cache.merge(
        records: RecordSet(records: [Record(key: "a", ["x": 1, "y": 1, "z(first:10)": 1], receivedAt: first)]))
      try await cache.merge(records: RecordSet(records: [Record(key: "a", ["x": 2, "w": 2], receivedAt: second)]))
      let record = try await cache.record("a")
      try expectEqual(record?.receivedAt, second, "the time of the record")
      try expectEqual(record?.dates, ["y": first, "z(first:10)": first], "the times of the other fields")
    },
  ]

  // MARK: Merging

  static let merging = [
    NormalizedCacheConformance("Fields that come in replace those that are there, all others stay") { cache in
      try await cache.merge(records: ["a": ["x": 1, "y": [1, 2]]])
      try await cache.merge(records: ["a": ["y": [3], "z": nil]])
      let found = try await cache.record("a")
      try expectEqual(found?.fields, ["x": 1, "y": [3], "z": nil], "the fields")
    },
    NormalizedCacheConformance("A merge returns the fields that are new or have another value") { cache in
      try expectEqual(try await cache.merge(records: ["a": ["x": 1, "y": 2]]), ["a.x", "a.y"], "of a new record")
      try expectEqual(
        try await cache.merge(records: ["a": ["x": 1, "y": 3], "b": ["x": nil]]), ["a.y", "b.x"], "of changes")
      try expectEqual(try await cache.merge(records: ["a": ["x": 1, "y": 3]]), [], "of what was there")
    },
    NormalizedCacheConformance("Null is a value: it is not the same as no field") { cache in
      try await cache.merge(records: ["a": ["x": nil]])
      try expectEqual(try await cache.record("a")?["x"], Record.Value.null, "the field")
      try expectEqual(try await cache.record("a")?["y"], nil, "another field")
    },
    NormalizedCacheConformance("An empty set of records changes nothing") { cache in
      try await cache.merge(records: ["a": ["x": 1]])
      try expectEqual(try await cache.merge(records: [:]), [], "the changed keys")
      try expectEqual(try await cache.record("a")?.fields, ["x": 1], "the fields")
    },
    NormalizedCacheConformance("Writing and reading may come from different threads, one after the other") { cache in
      let handed = Handoff(cache)
      for round in 0..<50 {
        await Task.detached { _ = try? await handed.value.merge(records: ["a": ["x": .int(round)]]) }.value
        try expectEqual(try await cache.record("a")?["x"], .int(round), "the field")
      }
    },
  ]

  // MARK: Removing

  static let removing = [
    NormalizedCacheConformance("A removed record is gone, references to it stay") { cache in
      try await cache.merge(records: ["a": ["b": .reference("b")], "b": ["x": 1]])
      try await cache.removeRecord(for: "b")
      try expectEqual(try await cache.record("b"), nil, "the record")
      try expectEqual(try await cache.record("a")?.fields, ["b": .reference("b")], "the reference")
      try await cache.removeRecord(for: "never there")
      try await cache.merge(records: ["b": ["y": 2]])
      try expectEqual(try await cache.record("b")?.fields, ["y": 2], "the record that came back")
    },
    NormalizedCacheConformance("A pattern with a star stands for whole keys, another for a part of any case") { cache in
      let keys: Set<CacheKey> = ["Human:1", "Human:2", "Superhuman:1", "Droid:1", "x%_y", "QUERY_ROOT"]
      func left(after pattern: String) async throws -> Set<CacheKey> {
        try await cache.clear()
        try await cache.merge(records: RecordSet(records: keys.map { Record(key: $0, ["x": 1]) }))
        try await cache.removeRecords(matching: pattern)
        return Set(try await cache.loadRecords(forKeys: keys).keys)
      }
      try expectEqual(try await left(after: "Human:*"), keys.subtracting(["Human:1", "Human:2"]), "Human:*")
      try expectEqual(try await left(after: "*:1"), keys.subtracting(["Human:1", "Superhuman:1", "Droid:1"]), "*:1")
      try expectEqual(try await left(after: "H*:2"), keys.subtracting(["Human:2"]), "H*:2")
      try expectEqual(
        try await left(after: "human"), keys.subtracting(["Human:1", "Human:2", "Superhuman:1"]), "human")
      try expectEqual(try await left(after: "%_"), keys.subtracting(["x%_y"]), "%_")
      try expectEqual(try await left(after: "nothing"), keys, "nothing")
    },
    NormalizedCacheConformance("A cleared cache is empty and can be used again") { cache in
      try await cache.merge(records: ["a": ["x": 1], "b": ["x": 1]])
      try await cache.clear()
      try expectEqual(try await cache.loadRecords(forKeys: ["a", "b"]).count, 0, "the number of records")
      try await cache.clear()
      try expectEqual(try await cache.merge(records: ["a": ["x": 1]]), ["a.x"], "the changed keys")
    },
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
      try expectEqual(loaded.count, records.count, "the number of records")
      for record in records { try expectEqual(loaded[record.key]?.fields, record.fields, "a record") }
    },
    NormalizedCacheConformance("Field names may have arguments with every character") { cache in
      let fields: Record.Fields = [
        #"search(text:"a\"b.c)d")"#: 1, "friends(first:10)": 2, "friends": 3, "f(a:{\"b\":[1,null]})": 4,
        "f(é:\"🚀\")": 5,
      ]
      try await cache.merge(records: ["a": fields])
      try expectEqual(try await cache.record("a")?.fields, fields, "the fields")
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
