mod made;
mod model;
mod properties;
mod reference;
mod stored;
