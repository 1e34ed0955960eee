import ApolloAPI
import ApolloCache

/// What an app keeps in memory only, and what is never on disk.
struct Exclusions: Sendable {
  /// Types, and fields as `Type.field`.
  let names: Set<String>
  private let types: Set<TypeSymbol>
  private let hasFields: Bool

  init(_ names: Set<String>) {
    self.names = names
    types = Set(names.lazy.filter { !$0.contains(".") }.map { TypeSymbol.declare($0) })
    hasFields = names.contains { $0.contains(".") }
  }

  /// Roots of mutations and subscriptions have arguments such as passwords in their keys, so no file has them.
  static let unstoredKeys: Set<CacheKey> = [
    GraphQLOperationType.mutation.rootKey, GraphQLOperationType.subscription.rootKey,
  ]

  func excludes(_ type: TypeSymbol) -> Bool { types.contains(type) }

  /// Whether a field is excluded.
  ///
  /// - Parameters:
  ///   - name: The name of the field, which arguments may follow.
  ///   - type: The type of its object.
  /// - Returns: Whether it is.
  func excludes(_ name: String, of type: TypeSymbol) -> Bool {
    guard hasFields, let type = type.name else { return false }
    return names.contains("\(type).\(name.prefix { $0 != "(" })")
  }

  /// The fields of a record that may be on disk, with those of objects inside of it; nil if the record may not be.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - text: The name of a field with its arguments.
  /// - Returns: The fields.
  func fields(of record: ObjectRecord, named text: (FieldKey) -> String) -> [ObjectRecord.Field]? {
    if names.isEmpty { return record.fields }
    if excludes(record.type) { return nil }
    return record.fields.compactMap { field in
      if hasFields, excludes(text(field.key), of: record.type) { return nil }
      return value(field.value, named: text).map { ObjectRecord.Field(field.key, $0) }
    }
  }

  /// An object of an excluded type takes the field with it that it is in: half a list would be wrong.
  private func value(_ value: RecordValue, named text: (FieldKey) -> String) -> RecordValue? {
    switch value {
    case .object(let object):
      guard let fields = fields(of: object, named: text) else { return nil }
      return .object(ObjectRecord.of(fields, type: object.type))
    case .list(let values):
      let kept = values.compactMap { self.value($0, named: text) }
      return kept.count == values.count ? .list(kept) : nil
    default: return value
    }
  }

  /// A record of the file without what is excluded now: it may not have been when the record was written.
  func keeping(_ stored: StoredRecord, named text: (FieldKey) -> String) -> StoredRecord? {
    if names.isEmpty { return stored }
    guard let fields = fields(of: stored.record, named: text) else { return nil }
    let record = ObjectRecord.of(fields, type: stored.record.type)
    var dates = stored.dates
    dates.removeFields(notIn: record)
    return StoredRecord(record, dates)
  }
}

extension ObjectRecord {
  /// A record with these fields.
  static func of(_ fields: [Field], type: TypeSymbol) -> ObjectRecord {
    let record = make(type: type, capacity: fields.count)
    for field in fields { record.append(field) }
    return record
  }
}
