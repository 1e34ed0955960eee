/// What a response body contains.
public struct ResponseContents<Data> {
  public var data: Data?
  public var errors: [GraphQLError]?
  public var extensions: JSONObject?
  /// The server will send more parts of this response.
  public var hasNext = false
  /// The objects of `data` as records, if they were asked for.
  package var records: RecordBatchTransfer?
}

extension ResponseContents: Sendable where Data: Sendable {}

/// Reads whole responses: `{"data": …, "errors": …, "extensions": …}` (GraphQL specification, section 7.1).
///
/// The members may come in any order, and unknown ones are passed.
public enum ResponseReader {
  /// Reads a whole response.
  ///
  /// Of members with the same name in one object, which JSON does not forbid, the last one counts.
  ///
  /// - Parameters:
  ///   - variables: Those of the operation; fields with arguments or conditions depend on them.
  ///   - maximumDepth: How many objects and lists may be nested, at most 2,048; more are an error.
  public static func read<Data: SelectionSet>(
    _ type: Data.Type, from bytes: ResponseBytes, variables: Variables = .none, maximumDepth: Int = defaultMaximumDepth
  ) throws(ResponseDecodingError) -> ResponseContents<Data> {
    try read(type, from: bytes, variables: variables, rootKey: nil, maximumDepth: maximumDepth)
  }

  /// How deep a response may be nested unless something else is said.
  public static var defaultMaximumDepth: Int { 512 }

  /// - Parameter rootKey: The cache key of the root object if records are wanted, such as `QUERY_ROOT`.
  package static func read<Data: SelectionSet>(
    _ type: Data.Type, from bytes: ResponseBytes, variables: Variables, rootKey: String?,
    identity: ObjectIdentity = ObjectIdentity(), maximumDepth: Int = defaultMaximumDepth
  ) throws(ResponseDecodingError) -> ResponseContents<Data> {
    try lastMembersCount(in: bytes, maximumDepth) { bytes, hasRepeatedMembers throws(ResponseDecodingError) in
      var contents = ResponseContents<Data>()
      var reader = ObjectReader(
        bytes, mode: rootKey == nil ? .json : .normalize, variables: variables, maximumDepth: maximumDepth)
      if let rootKey { reader.prepareRecords(Data.self, rootKey, identity) }
      try reader.readResponse(into: &contents)
      hasRepeatedMembers = reader.hasRepeatedMembers
      if let rootKey, contents.data != nil {
        let errors = (contents.errors ?? []).filter { $0.path != nil }
        contents.records =
          errors.isEmpty
          ? reader.takeBatch()
          : try records(type, from: bytes, variables, rootKey, identity, errors: errors, maximumDepth)
      }
      return contents
    }
  }

  /// Reads `bytes`, and if that meets two members with the same name, reads them again without the earlier one.
  ///
  /// A reader goes forward only, so it may have taken the earlier one, or failed at it, before the later one came.
  ///
  /// - Parameter read: Reads the bytes it is given, and says whether it may have met such members.
  private static func lastMembersCount<Result>(
    in bytes: ResponseBytes, _ maximumDepth: Int,
    _ read: (ResponseBytes, inout Bool) throws(ResponseDecodingError) -> Result
  ) throws(ResponseDecodingError) -> Result {
    var hasRepeatedMembers = false
    let plain: ResponseBytes
    do throws(ResponseDecodingError) {
      let result = try read(bytes, &hasRepeatedMembers)
      guard hasRepeatedMembers, let text = bytes.withoutRepeatedMembers(maximumDepth) else { return result }
      plain = text
    } catch {
      if case .invalidJSON = error.reason { throw error }
      guard let text = bytes.withoutRepeatedMembers(maximumDepth) else { throw error }
      plain = text
    }
    return try read(plain, &hasRepeatedMembers)
  }

  /// Reads the records once more, now that the errors are known: they may stand behind the data.
  private static func records<Data: SelectionSet>(
    _ type: Data.Type, from bytes: ResponseBytes, _ variables: Variables, _ rootKey: String,
    _ identity: ObjectIdentity, errors: [GraphQLError], _ maximumDepth: Int
  ) throws(ResponseDecodingError) -> RecordBatchTransfer {
    var reader = ObjectReader(
      bytes, mode: .normalize, variables: variables, maximumDepth: maximumDepth)
    reader.prepareRecords(type, rootKey, identity)
    reader.reportedErrors = errors
    do throws(ReadError) {
      try reader.readEnvelope { reader, member throws(ReadError) in
        if member == "data" { _ = try Data.read(from: &reader) } else { try reader.skipValue() }
      }
    } catch {
      throw reader.describe(error)
    }
    return reader.takeBatch()
  }

  /// Reads an object without an envelope, such as `data` alone.
  package static func readObject<Data: SelectionSet>(
    _ type: Data.Type, from bytes: ResponseBytes, variables: Variables = .none, rootKey: String? = nil,
    identity: ObjectIdentity = ObjectIdentity()
  ) throws(ResponseDecodingError) -> (data: Data, records: RecordBatchTransfer) {
    try lastMembersCount(in: bytes, defaultMaximumDepth) { bytes, hasRepeatedMembers throws(ResponseDecodingError) in
      var reader = ObjectReader(bytes, mode: rootKey == nil ? .json : .normalize, variables: variables)
      if let rootKey { reader.prepareRecords(Data.self, rootKey, identity) }
      do throws(ReadError) {
        if let offset = bytes.firstInvalidUTF8() { throw ReadError(.invalidUTF8, offset: offset) }
        reader.skipSpace()
        let data = try Data.read(from: &reader)
        try reader.expectEnd()
        hasRepeatedMembers = reader.hasRepeatedMembers
        return (data, reader.takeBatch())
      } catch {
        throw reader.describe(error)
      }
    }
  }

  /// Reads an object from records.
  ///
  /// - Parameters:
  ///   - root: The number of the record.
  ///   - embedded: The object inside of it that is wanted, if it is not the record itself, with the field that leads there.
  package static func load<Data: SelectionSet>(
    _ type: Data.Type, root: Int32, embedded: (object: ObjectRecord, field: FieldKey)? = nil,
    from snapshot: RecordSnapshot, variables: Variables, schema: (any SchemaMetadata.Type)? = nil,
    allowsMissingFields: Bool = false
  ) -> LoadedObject<Data> {
    var reader = ObjectReader(
      ResponseBytes.zeros, mode: .store, variables: variables, snapshot: snapshot)
    reader.identity.schema = Data.schema ?? schema
    reader.allowsMissingFields = allowsMissingFields
    reader.scratch.set(embedded.map { .object($0.object) } ?? .reference(root))
    if let embedded { reader.dependencies.add(root, field: embedded.field) }
    let data: Result<Data, ResponseDecodingError>
    var chain: [FieldKey] = []
    do throws(ReadError) {
      data = .success(try Data.read(from: &reader))
    } catch {
      data = .failure(reader.describe(error))
      chain = reader.chain()
    }
    return LoadedObject(
      data: data, errors: reader.cachedErrors, dependencies: reader.finishedDependencies(), chain: chain)
  }

  package static func jsonValue(_ text: String) throws(ResponseDecodingError) -> JSONValue {
    try jsonValue(ResponseBytes(text.utf8))
  }

  /// Parses JSON of any kind. Of members with the same name, the last one counts.
  public static func jsonValue(_ bytes: ResponseBytes) throws(ResponseDecodingError) -> JSONValue {
    var reader = ObjectReader(bytes, mode: .json)
    do throws(ReadError) {
      if let offset = bytes.firstInvalidUTF8() { throw ReadError(.invalidUTF8, offset: offset) }
      reader.skipByteOrderMark()
      let value = try reader.jsonValue()
      try reader.expectEnd()
      return value
    } catch {
      throw reader.describe(error)
    }
  }
}

/// An object that was read from records, or the reason why there is none.
package struct LoadedObject<Data: SelectionSet> {
  package let data: Result<Data, ResponseDecodingError>
  /// Errors that the cache has in place of values; the values are null in the data.
  package let errors: [GraphQLError]
  package let dependencies: Dependencies
  /// If it failed: the fields that lead to the place, from the root.
  package let chain: [FieldKey]
}

extension ObjectReader {
  /// The field that is being read in each of the objects that have begun.
  fileprivate borrowing func chain() -> [FieldKey] {
    var chain: [FieldKey] = []
    for index in 0..<frames.count {
      let frame = frames[index]
      if frame.field < frame.keys.count { chain.append(frame.keys[frame.field]) }
    }
    return chain
  }

  fileprivate mutating func prepareRecords<Data: SelectionSet>(
    _ type: Data.Type, _ rootKey: String, _ identity: ObjectIdentity
  ) {
    batch.reserveRoot(rootKey)
    self.identity = identity
    if let schema = Data.schema { self.identity.schema = schema }
  }

  fileprivate mutating func takeBatch() -> RecordBatchTransfer {
    var taken = RecordBatch()
    swap(&taken, &batch)
    return RecordBatchTransfer(taken)
  }

  /// Reads the members of a response.
  fileprivate mutating func readResponse<Data: SelectionSet>(
    into contents: inout ResponseContents<Data>
  ) throws(ResponseDecodingError) {
    var hasData = false
    do throws(ReadError) {
      if let offset = bytes.firstInvalidUTF8() { throw ReadError(.invalidUTF8, offset: offset) }
      try readEnvelope { reader, member throws(ReadError) in
        switch member {
        case "data":
          if hasData { reader.hasRepeatedMembers = true }
          hasData = true
          contents.data = reader.takeJSONNull() ? nil : try Data.read(from: &reader)
        case "errors": contents.errors = try reader.errors()
        case "extensions": contents.extensions = try reader.jsonValue() as? JSONObject
        case "hasNext": contents.hasNext = try reader.jsonValue() as? Bool ?? false
        case DeferMark.member: reader.undelivered = DeferMark(try reader.jsonValue())
        default: try reader.skipValue()
        }
      }
      guard hasData || contents.errors != nil else { throw ReadError(.missing, offset: 0) }
    } catch {
      throw describe(error)
    }
  }

  /// Passes the outermost object, member by member.
  mutating func readEnvelope(
    _ body: (inout ObjectReader, String) throws(ReadError) -> Void
  ) throws(ReadError) {
    skipByteOrderMark()
    try forEachMember(body)
    try expectEnd()
  }

  /// `errors`: a list of objects by the specification. Strings are taken for their messages.
  fileprivate mutating func errors() throws(ReadError) -> [GraphQLError]? {
    let value = try jsonValue()
    if value is JSONNull { return nil }
    guard let list = value as? [JSONValue] else { return [GraphQLError(anyValue: value)] }
    return list.map { GraphQLError(anyValue: $0) }
  }
}
