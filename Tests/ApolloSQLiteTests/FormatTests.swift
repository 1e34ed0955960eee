@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
import Testing

extension SQLiteTests {
  @Suite("The format of records")
  struct FormatTests {
    /// Names without a file.
    final class NameList {
      var names = Names()

      func number(_ name: String) -> Int64 {
        if let number = names[name] { return number }
        names.insert(name, Int64(names.texts.count + 1))
        return names[name] ?? 0
      }
    }

    private func blob(_ record: Record, _ names: NameList) throws -> [UInt8] {
      var table = RecordTable(hasBackend: true), changes = ChangeSet()
      let number = table.number(for: record.key)
      table.merge(table.imported(record.fields), into: number, dates: table.imported(datesOf: record), &changes)
      var encoder = RecordEncoder(table.records) { names.number($0) }
      let stored = try #require(table[number])
      return try encoder.blob(
        for: record.key, of: stored, dates: table.records.dates(of: number))
    }

    private func record(_ blob: [UInt8], key: CacheKey, _ names: NameList) throws -> Record {
      let snapshot = RecordSnapshot(hasBackend: true)
      var decoder = RecordDecoder(numberedBy: snapshot.keys, names.names)
      return try decoder.record(blob, for: key).exported(key, by: snapshot)
    }

    private func random(_ dice: inout Dice) -> Record {
      var record = Record(
        key: "A:\(dice.next())",
        Dictionary(
          (0..<Int.random(in: 1..<12, using: &dice)).map { index in
            (index % 3 == 0 ? "f\(index)(a:\"é\")" : "f\(index)", Record.Value.random(&dice))
          }
        ) { $1 })
      if Bool.random(using: &dice) { record["__typename"] = .string("Type\(dice.next() % 5)") }
      if Bool.random(using: &dice) {
        record.receivedAt = Date(timeIntervalSince1970: 1_700_000_000)
        for name in record.fields.keys.sorted() where name != "__typename" {
          if Int.random(in: 0..<4, using: &dice) == 0 {
            record.dates[name] = Date(timeIntervalSince1970: 1_699_000_000)
          } else if Int.random(in: 0..<4, using: &dice) == 0 {
            record.expirations[name] = Date(timeIntervalSince1970: 1_800_000_000)
          }
        }
        let isNew = record.fields.keys.contains { $0 != "__typename" && record.dates[$0] == nil }
        if !isNew { record.dates = [:] }
      }
      return record
    }

    @Test("A record comes back as it was, with its dates", arguments: 0..<300 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
      var dice = Dice(seed)
      let names = NameList(), record = random(&dice)
      #expect(try self.record(try blob(record, names), key: record.key, names) == record)
    }

    @Test("A blob that is cut anywhere, or has another byte anywhere, is an error", arguments: 0..<20 as Range<UInt64>)
    func damage(seed: UInt64) throws {
      var dice = Dice(seed)
      let names = NameList(), record = random(&dice), blob = try blob(record, names)
      for count in 0..<blob.count {
        #expect(throws: (any Error).self) { try self.record(Array(blob.prefix(count)), key: record.key, names) }
        var damaged = blob
        damaged[count] ^= UInt8.random(in: 1...255, using: &dice)
        #expect(throws: (any Error).self) { try self.record(damaged, key: record.key, names) }
      }
    }

    @Test("A blob belongs to its key")
    func key() throws {
      let names = NameList(), blob = try blob(Record(key: "A:1", ["x": 1]), names)
      #expect(try record(blob, key: "A:1", names)["x"] == 1)
      #expect(throws: BlobReader.Problem.self) { try record(blob, key: "A:2", names) }
    }

    /// With a checksum that fits, the reader itself is tried.
    @Test("Any bytes are a record or an error", arguments: 0..<40 as Range<UInt64>)
    func fuzz(seed: UInt64) throws {
      var dice = Dice(seed)
      let names = NameList(), record = random(&dice), whole = try blob(record, names).dropLast(Checksum.length)
      var errors = 0
      for _ in 0..<250 {
        var bytes = Array(whole)
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
          let place = Int.random(in: 0..<bytes.count, using: &dice)
          switch Int.random(in: 0..<4, using: &dice) {
          case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &dice)
          case 1: bytes.insert(UInt8.random(in: .min ... .max, using: &dice), at: place)
          case 2 where bytes.count > 1: bytes.remove(at: place)
          default: bytes.replaceSubrange(place..., with: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01])
          }
        }
        var writer = BlobWriter()
        for byte in bytes { writer.write(byte) }
        writer.writeChecksum(for: "A")
        do { _ = try self.record(writer.bytes, key: "A", names) } catch { errors += 1 }
      }
      #expect(errors > 50)
    }

    @Test("What is nested too deeply is an error, and no crash")
    func depth() throws {
      func nested(_ depth: Int) -> Record.Value { (0..<depth).reduce(.null) { value, _ in .list([value, 1]) } }
      let names = NameList()
      let fits = Record(key: "A", ["x": nested(200)])
      #expect(try record(try blob(fits, names), key: "A", names) == fits)
      #expect(throws: RecordEncoder.Unstorable.self) { try blob(Record(key: "A", ["x": nested(400)]), names) }
      for tag in [RecordEncoder.Tag.list, RecordEncoder.Tag.object] {
        var writer = BlobWriter()
        // The version, no type, no dates, and one field.
        for byte in [RecordEncoder.version, 0, 0, 0, 0, 1] { writer.write(byte) }
        writer.write(UInt64(names.number("x")) << 1)
        for _ in 0..<100_000 {
          writer.write(tag)
          if tag == RecordEncoder.Tag.object { writer.write(UInt8(0)) }
          writer.write(UInt8(1))
          if tag == RecordEncoder.Tag.object { writer.write(UInt64(names.number("x")) << 1) }
        }
        writer.writeChecksum(for: "A")
        let error = #expect(throws: BlobReader.Problem.self) { try record(writer.bytes, key: "A", names) }
        #expect(error?.description.contains("deeply") == true)
      }
    }

    @Test("A small record takes few bytes")
    func size() throws {
      let names = NameList()
      var record = Record(
        key: "Human:1000",
        ["__typename": "Human", "id": "1000", "name": "Luke", "height": 1.72, "friends": [.reference("Human:1002")]])
      record.receivedAt = Date(timeIntervalSince1970: 1_700_000_000)
      #expect(try blob(record, names).count <= 60)
    }
  }
}
