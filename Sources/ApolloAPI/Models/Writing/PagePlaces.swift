extension SelectionSet {
  /// Whether a query reads one list of the cache, whichever page of it its variables ask for.
  ///
  /// - Parameters:
  ///   - variables: The variables that the data was asked for with.
  ///   - others: The variables of another page.
  /// - Returns: Whether all fields are the same fields of the cache under both, and one has pages that the cache merges.
  package func isOneList(_ variables: Variables, _ others: Variables) -> Bool {
    let keys = Locked(StoreKeys())
    guard let here = fields(variables, keys), let there = fields(others, keys) else { return false }
    return here.contains { $0.hasPages } && here.map(\.path) == there.map(\.path)
  }

  /// Whether the data has a list whose pages the cache merges. Lists inside of other lists do not count.
  package func hasPages(_ variables: Variables) -> Bool {
    fields(variables, Locked(StoreKeys()))?.contains { $0.hasPages } ?? false
  }

  /// Compares the lists of which two queries have pages.
  ///
  /// - Parameters:
  ///   - variables: The variables that the data was asked for with.
  ///   - other: Data of another query.
  ///   - others: The variables of the other query.
  /// - Returns: Whether both have pages of a list that the cache merges.
  package func sharesPages<Other: SelectionSet>(
    _ variables: Variables, with other: Other, _ others: Variables
  ) -> Bool {
    let keys = Locked(StoreKeys())
    guard let here = fields(variables, keys), let there = other.fields(others, keys) else { return false }
    let lists = Set(here.filter(\.hasPages).map(\.path))
    return there.contains { $0.hasPages && lists.contains($0.path) }
  }

  /// The fields of the cache that the data was read from.
  private func fields(_ variables: Variables, _ keys: Locked<StoreKeys>) -> [StoredField]? {
    guard let object = try? ModelObject(self, variables: variables, keys: keys) else { return nil }
    var fields: [StoredField] = []
    object.addFields(behind: [], isInList: false, to: &fields)
    return fields
  }
}

/// A field of the cache, by its keys from the root on.
private struct StoredField {
  var path: [FieldKey]
  /// Whether the cache merges the pages of the field, and it is in no other list.
  var hasPages: Bool
}

extension ModelObject {
  fileprivate func addFields(behind path: [FieldKey], isInList: Bool, to fields: inout [StoredField]) {
    for member in members {
      let path = path + [member.key]
      fields.append(StoredField(path: path, hasPages: member.hasPages && !isInList))
      member.value.addFields(behind: path, isInList: isInList, to: &fields)
    }
  }
}

extension ModelValue {
  fileprivate func addFields(behind path: [FieldKey], isInList: Bool, to fields: inout [StoredField]) {
    switch self {
    case .leaf: break
    case .object(let object): object.addFields(behind: path, isInList: isInList, to: &fields)
    case .list(let values): for value in values { value.addFields(behind: path, isInList: true, to: &fields) }
    }
  }
}
