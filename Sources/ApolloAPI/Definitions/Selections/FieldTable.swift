/// The fields that one selection set reads, in a form that a response can be compared with word by word.
///
/// Generated code makes one per selection set from a short text and reads by position in it:
///
///     static let __fields = __FieldTable(version: 1, "__typename id! friends(first:$first) best:friends(first:1) ... ?$full&!$brief")
///
/// - A field is `alias:name(arguments)`. Alias and arguments are left out where there are none; the arguments are
///   sorted by name and written as JSON, with `$name` for a variable.
/// - `!` after a field marks it as the first part of the cache key of its object, `!1` as the second, and so on: the
///   order of the selection is not that of the policy.
/// - `!Book|Magazine:isbn,edition` says by itself that the objects of these types have a key of these fields. It stands
///   where a union or an interface is selected whose types do not share one key. Some of the fields may be read for the
///   key only.
/// - `^Character|SearchResult` says by itself which interfaces and unions the selections are on: none of them is the type
///   of an object.
/// - `#` after a field marks the type `ID`, for which a server may send an integer.
/// - `~` after a field says that its objects are kept inside of the object that has the field, though they have keys.
/// - `@id:Droid|Human` behind the arguments is the field's policy (`@fieldPolicy(forField:keyArgs:)`): the arguments that
///   make the key of the object, or objects, that the field leads to (`isbn,edition`, `input.id`), and the names of all
///   object types that it may lead to, separated by `|`. Without a policy, `@:Character` is the type of the field.
/// - `%r:first,last,before,after` behind that says that the cache makes one list of the field's pages, and by which
///   arguments: those of a connection (`r`), `offset,limit` (`o`), `page,size` (`p` and the number of the first page), or
///   any (`a`: each page comes behind the ones before; `k`: nothing is merged). They are not in the key of the field.
///   With `+` behind the letter, pages stay when the first one is loaded again.
/// - `...` says that the object is read again with other tables: it has fragments.
/// - `?` starts a condition: an `or` (`|`) of `and`s (`&`) of variables that are true, or with `!` are not, or with `~`
///   are false. They are numbered from 0.
/// - `<900>` at the end of a field says how many seconds old its value may be, by itself or its operation; `<:1800>`,
///   how many by the type of the objects that it leads to; and `<=>`, that its objects may be as old as the object that
///   has the field. A field without it may be as old as the object that has it, if it leads to no objects.
/// - `<1800>` by itself says how many seconds old objects may be, by the type that the fields are selected on.
/// - `<min>` says that nothing may be older than the objects on the path to it.
/// - `{0,2}` at the end of a field lists the levels of lists, from 0, at which a null with an error is not a value: the
///   error is thrown to the nearest value that catches it. `none`, `log` and `throw` there say what `@required` does.
/// - `$Details(size:$first,tag:"new")` by itself says which arguments a spread gives to a fragment. These lists are numbered
///   from 0. Within the fragment, the variable `size` is `$Details.size`.
/// - `=Details(size:10)tag` by itself names the variables of the fragment that the table belongs to: those with a default
///   value, and the others.
/// - `@defer` is where a response that comes in parts says what became of deferred fragments.
///
/// `__typename`, where it is selected without an alias, comes first.
///
/// A text that cannot be read makes no table: what is read or written with it is an error, which says why.
public struct __FieldTable: Sendable {
  let storage: Storage

  /// The newest form of the text that this library reads. It reads all earlier ones as well.
  static let newestVersion = 6

  /// - Parameters:
  ///   - version: The form of the text. The first edition of the generator wrote none, which is 0. A newer form than
  ///     this library knows is an error of every object that is read or written with the table.
  ///   - text: The fields and conditions.
  public init(version: Int = 0, _ text: StaticString) {
    let literal = Literal(address: text.address, version: version)
    storage = Self.tables.withLock { tables in
      if let known = tables[literal] { return known }
      let table = Storage(version: version, text.bytes)
      tables[literal] = table
      return table
    }
  }

  /// Makes a table of a text that is made at run time. Like all tables, it is never freed.
  init(version: Int = newestVersion, text: String) {
    let storage = Storage(version: version, Array(text.utf8))
    Self.otherTables.withLock { $0.append(storage) }
    self.storage = storage
  }

  private static let otherTables = Locked<[Storage]>([])

  /// Readers keep unowned pointers into tables, so these live as long as the process: one for each literal.
  private static let tables = Locked<[Literal: Storage]>([:])

  private struct Literal: Hashable {
    var address: UInt
    var version: Int
  }

  /// Everything is immutable after `init`, which is why sharing it between threads is safe.
  final class Storage: @unchecked Sendable {
    let fields: UnownedList<FieldInfo>
    /// The field keys of the fields without arguments, and placeholders for those with.
    let staticKeys: UnownedList<FieldKey>
    let count: Int
    let hasTypename: Bool
    /// Whether there is any field besides `__typename`.
    var hasFields: Bool { fields.count > (hasTypename ? 1 : 0) }
    /// Members of the object are read again, by fragments for example, so every member has to be remembered.
    let hasFragments: Bool
    /// Two fields may have the same field key: one of them is aliased.
    let hasAliases: Bool
    /// The fields that make the key of an object, in the order of the key.
    let keyFields: UnownedList<FieldKey>
    /// The keys of objects that differ by their type.
    let typeKeys: [TypeKey]
    /// The names of interfaces and unions that an object could be taken for by mistake.
    let abstractTypes: [String]
    let arguments: [(field: Int, name: String, text: [UInt8])]
    let policies: [Int: DeclaredFieldPolicy]
    let paginations: [Int: PaginationPolicy]
    let conditions: [Condition]
    /// The arguments that the table gives to fragments.
    let fragmentArguments: [FragmentVariables]
    /// The variables of the fragment whose table it is; nil if it has none.
    let ownVariables: FragmentVariables?
    /// Whether it has some. (Each execution asks for it, and a copy of the variables takes longer.)
    let hasOwnVariables: Bool
    /// How old values may be; nil if the table does not say it.
    let ages: TableAges?
    /// Whether something is said of the age of a field.
    let hasFieldAges: Bool
    /// Whether there are fields, all are read, and one age applies to all of them.
    let hasOneAge: Bool
    /// Whether some value may have no age at all.
    let hasZeroAge: Bool
    /// Dense numbers for the tables whose field keys or conditions depend on variables; -1 for the others.
    let dynamicIndex: Int
    /// Why the text makes no table. Then it has no fields.
    let problem: String?

    convenience init(version: Int, _ text: [UInt8]) {
      do throws(FieldTableError) {
        self.init(try FieldTableParser.parse(text, version: version), problem: nil)
      } catch {
        self.init(ParsedTable(), problem: error.description)
      }
    }

    private init(_ parsed: ParsedTable, problem: String?) {
      self.problem = problem
      count = parsed.fields.count
      fields = UnownedList(parsed.fields.map { FieldInfo($0) })
      staticKeys = UnownedList(parsed.fields.map { $0.arguments == nil ? .forName($0.name) : .unresolved })
      hasTypename = parsed.fields.first.map { $0.name == "__typename" && $0.alias == nil } ?? false
      let isRepeated = parsed.hasRepeatedMember
      hasFragments = parsed.hasFragments || isRepeated
      hasAliases = isRepeated || parsed.fields.contains { $0.alias != nil }
      keyFields = UnownedList(
        parsed.fields.indices.filter { parsed.fields[$0].keyPosition != nil }
          .sorted { (parsed.fields[$0].keyPosition ?? 0, $0) < (parsed.fields[$1].keyPosition ?? 0, $1) }
          .map { .forName(parsed.fields[$0].name) })
      typeKeys = parsed.typeKeys.map { TypeKey($0) }
      abstractTypes = parsed.abstractTypes
      arguments = parsed.fields.enumerated().compactMap { index, field in
        field.arguments.map { (index, field.name, $0) }
      }
      policies = Dictionary(
        uniqueKeysWithValues: parsed.fields.enumerated().compactMap { index, field in field.policy.map { (index, $0) } }
      )
      paginations = Dictionary(
        uniqueKeysWithValues: parsed.fields.enumerated().compactMap { index, field in
          field.pagination.map { (index, $0) }
        })
      conditions = parsed.conditions
      fragmentArguments = parsed.fragmentArguments
      ownVariables = parsed.ownVariables
      hasOwnVariables = parsed.ownVariables != nil
      ages = TableAges(parsed)
      hasFieldAges = ages?.fields.contains { $0 != .none } ?? false
      hasOneAge =
        fields.count > (hasTypename ? 1 : 0) && conditions.isEmpty && !hasFieldAges && ages?.isLowestOnPath != true
      hasZeroAge = ages?.lowest == 0 || ages?.type == 0
      dynamicIndex =
        arguments.isEmpty && conditions.isEmpty
        ? -1
        : Self.dynamicCount.withLock {
          $0 += 1; return $0 - 1
        }
    }

    private static let dynamicCount = Locked(0)
  }
}

/// A reference to the storage of a table. Tables are never freed.
typealias UnownedTable = Unowned<__FieldTable.Storage>

extension Unowned<__FieldTable.Storage> {
  /// A table without fields.
  static let none = UnownedTable(__FieldTable("").storage)

  var table: __FieldTable.Storage { @_transparent get { referent } }
}

/// One field of a table, with its response key compiled to machine words.
struct FieldInfo {
  /// The first 16 bytes of `key":`, and which of them count.
  let word0: UInt64, mask0: UInt64, word1: UInt64, mask1: UInt64
  /// `key":`, for keys that are longer than two words.
  let bytes: Bytes
  let keyLength: Int
  /// See ``Bytes/keyBit(_:)``.
  let keyBit: UInt64
  let isID: Bool
  /// Whether the objects are kept inside of the object that has the field, though they have keys.
  let isEmbedded: Bool
  /// Whether it is a local field, so that no server sends it.
  let isLocal: Bool
  let nulls: NullRule

  /// The length of `key":`.
  var length: Int { keyLength + 2 }

  init(_ field: ParsedTable.Field) {
    let text = Array((field.alias ?? field.name).utf8) + [UInt8(ascii: "\""), UInt8(ascii: ":")]
    bytes = Bytes(keepingForever: text)
    keyLength = text.count - 2
    keyBit = bytes.keyBit(keyLength)
    isID = field.isID
    isEmbedded = field.isEmbedded
    isLocal = field.isLocal
    nulls = field.nulls
    func word(_ start: Int) -> (UInt64, UInt64) {
      var word: UInt64 = 0, mask: UInt64 = 0
      for index in start..<max(start, min(text.count, start + 8)) {
        word |= UInt64(text[index]) << UInt64(8 * (index - start))
        mask |= 0xff << UInt64(8 * (index - start))
      }
      return (word, mask)
    }
    (word0, mask0) = word(0)
    (word1, mask1) = word(8)
  }

  var responseKey: String { bytes.text(keyLength) }
}

/// The fields that make the key of an object of certain types, in the order of the key.
struct TypeKey {
  let types: __TypeSet
  let fields: UnownedList<FieldKey>

  init(_ parsed: ParsedTable.TypeKey) {
    types = __TypeSet(names: parsed.types)
    fields = UnownedList(parsed.fields.map { .forName($0) })
  }
}

extension __FieldTable.Storage {
  /// The fields that make the key of an object of a type, where that depends on the type; none if it has no such key.
  @inline(never) func keyFields(of type: TypeSymbol) -> UnownedList<FieldKey> {
    for key in typeKeys where key.types.contains(type) { return key.fields }
    return .none
  }
}

/// `@include` and `@skip` on one or several selections: true if one of the terms is, and a term is true if all its
/// factors are.
struct Condition: Sendable {
  struct Factor: Sendable {
    enum Test { case isTrue, isNotTrue, isFalse }
    var variable: String
    var test: Test
  }
  var terms: [[Factor]]
}
