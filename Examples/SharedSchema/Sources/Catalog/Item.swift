import LibraryAPI

extension ItemsQuery.Data.Item {
  /// What a list shows of it.
  public var line: String {
    guard let pages = asBook?.pages else { return title }
    return "\(title), \(pages) pages"
  }
}
