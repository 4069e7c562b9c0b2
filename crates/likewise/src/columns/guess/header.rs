//! What the name of a column says.

use crate::values::text;
use std::collections::BTreeMap;

/// What a name can say, with its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    Id,
    Phone,
    Code,
    House,
    Year,
    Coordinate,
    Text,
}

impl Topic {
    fn words(self) -> &'static str {
        match self {
            Self::Id => "id ids key keys uuid guid rowid pk identifier cluster",
            Self::Phone => {
                "phone telephone tel telefon telefono téléphone mobile handy fax phonenumber"
            }
            Self::Code => {
                "zip zipcode postal postcode postalcode plz isbn isbn10 isbn13 issn ean ean13 upc gtin asin sku iban bic \
                 vat ssn socsec nationalid taxid passport vin npi duns doi mpn code serial model modelno partno"
            }
            Self::House => "housenumber houseno housenr hausnummer hausnr streetnumber streetno",
            Self::Year => "year years yr jahr année annee año anno",
            Self::Coordinate => "lat lon lng long latitude longitude",
            Self::Text => {
                "name names firstname lastname surname forename givenname vorname nachname title titel city town ort \
                 stadt street str strasse straße address addr adresse"
            }
        }
    }
}

/// The words of a name, folded: at capitals, underscores and the like it is cut.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && lower) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("there is one").push(c);
        }
        lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words.iter().map(|word| text::fold(word)).collect()
}

/// Whether a name is about the topic: one of its words is, or two together (`house_no`).
pub(super) fn is_about(name: &str, topic: Topic) -> bool {
    let words = words(name);
    let known = |word: &str| topic.words().split_whitespace().any(|known| known == word);
    words.iter().any(|word| known(word)) || words.windows(2).any(|pair| known(&pair.concat()))
}

/// The columns of two tables that have the same name: first to the letter, then without case and punctuation. Pairs of
/// positions, in the order of the first table; each column is in one pair at most.
///
/// ```
/// use likewise::columns::guess::pairs_by_name;
///
/// assert_eq!(pairs_by_name(&["id", "Zip Code", "note"], &["zip_code", "id"]), [(0, 1), (1, 0)]);
/// ```
pub fn pairs_by_name<T: AsRef<str>>(left: &[T], right: &[T]) -> Vec<(usize, usize)> {
    let mut pairs = BTreeMap::new();
    let mut free: Vec<bool> = vec![true; right.len()];
    let letter = |name: &str| name.to_owned();
    let loose = |name: &str| words(name).concat();
    for same in [&letter as &dyn Fn(&str) -> String, &loose] {
        let names: Vec<String> = right.iter().map(|name| same(name.as_ref())).collect();
        for (i, name) in left.iter().enumerate() {
            let name = same(name.as_ref());
            if name.is_empty() || pairs.contains_key(&i) {
                continue;
            }
            if let Some(j) = (0..right.len()).find(|&j| free[j] && names[j] == name) {
                free[j] = false;
                pairs.insert(i, j);
            }
        }
    }
    pairs.into_iter().collect()
}
