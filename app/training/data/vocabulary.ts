/** A unit of measure with its code (API v3 §2 "Units of measure") and its Portuguese name. */
export interface UnitOfMeasure {
  readonly id: number;
  readonly code: string;
  readonly name: string;
}

const unitNames: Readonly<Record<string, string>> = {
  BANDEJ: 'Bandeja',
  BARRA: 'Barra',
  BISNAG: 'Bisnaga',
  BLOCO: 'Bloco',
  CART: 'Cartela',
  CX: 'Caixa',
  CX50: 'Caixa com 50',
  CX100: 'Caixa com 100',
  DUZIA: 'Dúzia',
  EMBAL: 'Embalagem',
  FARDO: 'Fardo',
  FOLHA: 'Folha',
  FRASCO: 'Frasco',
  GALAO: 'Galão',
  GF: 'Garrafa',
  JOGO: 'Jogo',
  KG: 'Quilograma',
  LATA: 'Lata',
  LITRO: 'Litro',
  M: 'Metro',
  PACOTE: 'Pacote',
  PARES: 'Pares',
  PC: 'Peça',
  POTE: 'Pote',
  RESMA: 'Resma',
  ROLO: 'Rolo',
  SACO: 'Saco',
  TUBO: 'Tubo',
  UNID: 'Unidade',
  VASIL: 'Vasilhame',
  VIDRO: 'Vidro',
};

/** The units in use here, by code. */
export const units: ReadonlyMap<string, UnitOfMeasure> = new Map(
  Object.entries(unitNames).map(([code, name], index) => [code, { id: index + 1, code, name }]),
);

/** Made-up brands; none is known to exist. */
export const brands = [
  'Capivara Mansa',
  'Ipê Torto',
  'Jabuti Azul',
  'Três Tatus',
  'Sabiá Matinal',
  'Dona Zulmirinha',
  'Vale do Quiriri',
  'Garça Serena',
  'Caju Miúdo',
  'Onça Bordada',
  'Lagoa Funda',
  'Pitanga & Prosa',
  'Serra Inventada',
  'Tico Mirim',
  'Arara Branda',
  'Seu Anacleto',
  'Cambuci Velho',
  'Fazenda Talvez',
  'Mandacaru Doce',
  'Bem-te-vi Rubro',
  'Sete Juás',
  'Lua de Umbu',
  'Cutia Ligeira',
  'Porto Imaginário',
] as const;

export interface Assortment {
  readonly department: string;
  readonly noun: string;
  readonly varieties: readonly string[];
  /** Sizes of the pack; with `weighed` goods the grade instead. */
  readonly packs: readonly string[];
  readonly unit: string;
  /** Sold under a brand. */
  readonly isBranded: boolean;
  /** Colours or sizes that the customer chooses; each keeps a balance of its own. */
  readonly options: readonly string[];
  /** Comes in batches that expire. */
  readonly isPerishable: boolean;
}

// One line an assortment: noun | varieties | packs | unit | marks (b = branded, p = perishable) | options.
// "-" stands for no word in that place.
const lines = `
# Mercearia
Arroz|Agulhinha Tipo 1;Integral;Parboilizado;Cateto|1 kg;2 kg;5 kg|PACOTE|bp
Feijão|Carioca;Preto;Fradinho;Branco|500 g;1 kg|PACOTE|bp
Açúcar|Refinado;Cristal;Demerara;Mascavo|500 g;1 kg;2 kg|PACOTE|b
Sal|Refinado Iodado;Grosso para Churrasco;Marinho|500 g;1 kg|PACOTE|b
Café|Torrado e Moído Tradicional;Torrado e Moído Extraforte;em Grãos;Solúvel|250 g;500 g|PACOTE|bp
Macarrão|Espaguete nº 8;Parafuso;Penne;Talharim com Ovos|500 g;1 kg|PACOTE|bp
Farinha de Trigo|Tipo 1;com Fermento;Integral|1 kg;5 kg|PACOTE|bp
Farinha de Mandioca|Crua;Torrada;Temperada|500 g;1 kg|PACOTE|bp
Fubá|Mimoso;Pré-Cozido|500 g;1 kg|PACOTE|bp
Polvilho|Azedo;Doce|500 g;1 kg|PACOTE|bp
Óleo|de Soja;de Girassol;de Milho;de Canola|900 ml|GF|bp
Azeite|de Oliva Extravirgem;de Oliva Tipo Único|250 ml;500 ml|VIDRO|bp
Vinagre|de Álcool;de Maçã;de Vinho Tinto|500 ml;750 ml|GF|b
Molho de Tomate|Tradicional;com Manjericão;Pedaços|300 g;2 kg|EMBAL|bp
Extrato de Tomate|Concentrado;Duplo Concentrado|130 g;340 g|LATA|bp
Milho Verde|em Conserva;no Vapor|170 g;280 g|LATA|bp
Ervilha|em Conserva;com Cenoura|170 g;280 g|LATA|bp
Sardinha|em Óleo;ao Molho de Tomate;com Limão|125 g|LATA|bp
Atum|Sólido ao Natural;Ralado em Óleo|140 g;170 g|LATA|bp
Palmito|Pupunha Inteiro;Açaí Picado|300 g;540 g|VIDRO|bp
Azeitona|Verde com Caroço;Preta sem Caroço;Verde Recheada|160 g;500 g|VIDRO|bp
Maionese|Tradicional;Leve;Temperada com Limão|250 g;500 g|POTE|bp
Mostarda|Amarela;Escura|200 g|BISNAG|bp
Catchup|Tradicional;Picante|200 g;400 g|BISNAG|bp
Biscoito|Água e Sal;Maisena;Recheado de Chocolate;Polvilho Salgado;Rosquinha de Coco|140 g;200 g;400 g|PACOTE|bp
Bolacha|Amanteigada;de Leite;Maria|180 g;360 g|PACOTE|bp
Aveia|em Flocos Finos;em Flocos Grossos;Farelo|170 g;500 g|EMBAL|bp
Granola|Castanhas e Mel;Frutas Secas;Sem Adição de Açúcar|250 g;800 g|EMBAL|bp
Leite Condensado|Integral;Semidesnatado|395 g|EMBAL|bp
Creme de Leite|Tradicional;Leve|200 g|EMBAL|bp
Leite UHT|Integral;Semidesnatado;Desnatado;Zero Lactose|1 L|LITRO|bp
Goiabada|Cascão;Cremosa|300 g;600 g|BARRA|bp
Rapadura|Tradicional;com Amendoim;com Coco|250 g;500 g|BARRA|bp
Mel|Silvestre;de Laranjeira;de Eucalipto|280 g;500 g|VIDRO|bp
Doce de Leite|Cremoso;com Ameixa;em Pedaços|400 g;800 g|POTE|bp
Paçoca|Rolha;Quadrada;Zero Açúcar|20 g;200 g|UNID|bp
Pé de Moleque|Tradicional;Crocante|150 g;500 g|PACOTE|bp
Ovos|Brancos Grandes;Vermelhos Grandes;Caipira|-|DUZIA|bp
Tempero|Alho e Sal;Baiano;Completo sem Pimenta|300 g;1 kg|POTE|bp
Pimenta|Malagueta em Conserva;do Reino Moída;Calabresa em Flocos|30 g;150 g|VIDRO|b
Orégano|Folhas;Folhas Selecionadas|10 g;50 g|PACOTE|b
# Hortifrúti
Banana|Prata;Nanica;da Terra;Maçã;Ouro|-;Orgânica;Extra|KG|p
Laranja|Pera;Bahia;Lima|-;Orgânica;para Suco|KG|p
Maçã|Gala;Fuji;Verde|-;Orgânica;Extra|KG|p
Mamão|Formosa;Papaia|-;Orgânico|KG|p
Manga|Palmer;Tommy;Espada;Rosa|-;Extra|KG|p
Limão|Taiti;Siciliano;Cravo|-;Orgânico|KG|p
Abacaxi|Pérola;Havaí|-;Doce|UNID|p
Melancia|Inteira;Baby;em Pedaços|-|KG|p
Uva|Itália;Niágara;Vitória sem Semente|-;Extra|KG|p
Goiaba|Vermelha;Branca|-;Orgânica|KG|p
Maracujá|Azedo;Doce|-;Orgânico|KG|p
Batata|Inglesa Lavada;Asterix;Doce Roxa;Bolinha|-;Orgânica;Extra|KG|p
Cebola|Branca;Roxa;Pérola|-;Orgânica|KG|p
Tomate|Italiano;Carmem;Caqui|-;Orgânico;Extra|KG|p
Cenoura|Comum;Baby|-;Orgânica|KG|p
Mandioca|Amarela;Branca|-;Descascada|KG|p
Abóbora|Cabotiá;Moranga;Pescoço|-;em Cubos|KG|p
Chuchu|Verde;Branco|-|KG|p
Pimentão|Verde;Vermelho;Amarelo|-;Orgânico|KG|p
Alface|Crespa;Americana;Lisa;Roxa|-;Orgânica;Hidropônica|UNID|p
Couve|Manteiga;Manteiga Fatiada|-;Orgânica|PC|p
Cheiro-Verde|Salsa e Cebolinha;Salsa;Coentro|-;Orgânico|PC|p
Alho|Roxo;Branco;Descascado|-;Extra|KG|p
Morango|Bandeja|250 g;500 g|BANDEJ|p
# Açougue e frios
Carne Bovina|Acém;Alcatra;Coxão Mole;Patinho Moído;Contrafilé;Músculo;Costela|-;em Bifes;em Cubos;Resfriada|KG|p
Frango|Inteiro;Peito sem Osso;Coxa e Sobrecoxa;Asa;Coração|-;Resfriado;Temperado;Congelado|KG|p
Carne Suína|Pernil;Lombo;Bisteca;Costelinha|-;Temperada;Resfriada|KG|p
Linguiça|Toscana;Calabresa Defumada;de Frango;Apimentada|-;Fininha;Artesanal|KG|bp
Tilápia|Filé;Inteira Limpa|-;Congelada|KG|p
Queijo|Minas Frescal;Muçarela;Prato;Coalho;Parmesão;Meia Cura|-;Fatiado;Peça|KG|bp
Presunto|Cozido;Magro;Defumado|-;Fatiado|KG|bp
Mortadela|Tradicional;Defumada;com Azeitona|-;Fatiada|KG|bp
Requeijão|Cremoso;Light;de Corte|200 g;400 g|POTE|bp
Iogurte|Natural;Morango;Coco;Ameixa|170 g;900 g|GF|bp
Manteiga|com Sal;sem Sal|200 g;500 g|POTE|bp
Margarina|Cremosa com Sal;Culinária|250 g;500 g|POTE|bp
Pão de Queijo|Tradicional Congelado;Coquetel Congelado|400 g;1 kg|PACOTE|bp
# Padaria
Pão|Francês;de Milho;Integral;Doce;de Batata;Australiano|-;com Gergelim;Recheado|KG|p
Bolo|de Fubá;de Cenoura com Chocolate;de Laranja;Formigueiro;de Mandioca|-;Fatia;Inteiro|UNID|p
Salgado|Coxinha de Frango;Esfiha de Carne;Empada de Palmito;Enroladinho de Queijo;Quibe|-;Mini|UNID|p
Sonho|Creme;Doce de Leite;Goiabada|-;Mini|UNID|p
Pão de Forma|Tradicional;Integral;Aveia e Mel|400 g;500 g|PACOTE|bp
Torrada|Tradicional;Integral;Alho|142 g;284 g|PACOTE|bp
# Bar e bebidas
Cerveja|Pilsen;Puro Malte;Escura;Trigo;Sem Álcool|Lata 269 ml;Lata 350 ml;Lata 473 ml|LATA|bp
Cerveja Garrafa|Pilsen;Puro Malte;Amarga|355 ml;600 ml;1 L|GF|bp
Cerveja Artesanal|Âmbar;Lupulada;Porter;Mel e Laranja|300 ml;500 ml|GF|bp
Refrigerante|Guaraná;Cola;Laranja;Limão;Uva|Lata 350 ml;600 ml;2 L|GF|bp
Água Mineral|sem Gás;com Gás|300 ml;500 ml;1,5 L|GF|bp
Água de Coco|Natural;com Polpa|200 ml;1 L|EMBAL|bp
Suco|de Uva Integral;de Laranja;de Caju;de Maracujá;de Goiaba|300 ml;1 L|LITRO|bp
Néctar|Pêssego;Manga;Maracujá|200 ml;1 L|EMBAL|bp
Chá Gelado|Mate com Limão;Pêssego;Hibisco|300 ml;1,5 L|GF|bp
Energético|Tradicional;Frutas Tropicais;Zero Açúcar|Lata 250 ml;Lata 473 ml|LATA|bp
Cachaça|Prata;Envelhecida em Carvalho;Amburana;com Mel|700 ml;1 L|GF|b
Vinho Tinto|Seco;Suave;Bordô;Reserva|375 ml;750 ml|GF|b
Vinho Branco|Seco;Suave;Moscatel|375 ml;750 ml|GF|b
Espumante|Brut;Moscatel;Rosé|187 ml;750 ml|GF|b
Gim|Seco;Cítrico;Especiarias|750 ml|GF|b
Vodca|Tradicional;Limão|500 ml;1 L|GF|b
Licor|de Jabuticaba;de Café;de Jenipapo|375 ml;750 ml|GF|b
Chope|Pilsen;Vinho;Escuro|300 ml;500 ml;Barril 30 L|LITRO|p
Caipirinha|de Limão;de Maracujá;de Morango;de Caju com Limão|Copo 300 ml;Copo 500 ml|UNID|p
Porção|Batata Frita;Calabresa Acebolada;Torresmo;Mandioca Frita;Isca de Tilápia|Meia;Inteira|UNID|-
Dose|Cachaça Prata;Gim;Licor de Café;Vodca|50 ml;100 ml|UNID|-
Gelo|em Cubos;de Coco;Saborizado de Maracujá|200 g;3 kg;5 kg|SACO|b
Vasilhame|Garrafa 600 ml;Garrafa 1 L;Engradado 24 Garrafas|-;Retornável|VASIL|-
Galão de Água|Mineral sem Gás|10 L;20 L|GALAO|bp
# Doces e salgadinhos
Chocolate|ao Leite;Meio Amargo;Branco;com Castanha-de-Caju;70% Cacau|25 g;90 g;500 g|BARRA|bp
Bombom|Recheado de Coco;Recheado de Avelã;Crocante|20 g;Caixa 250 g|UNID|bp
Bala|de Hortelã;de Café;Mastigável de Iogurte;de Gengibre|100 g;600 g|PACOTE|bp
Pirulito|Cereja;Frutas Sortidas|Unidade;Pacote com 50|PACOTE|bp
Salgadinho|de Milho Queijo;Batata Ondulada;Mandioca Cebola e Salsa;Milho Churrasco|45 g;90 g;230 g|PACOTE|bp
Amendoim|Japonês;Torrado sem Pele;Doce Crocante|70 g;400 g|PACOTE|bp
Castanha-de-Caju|Torrada e Salgada;Natural|100 g;500 g|PACOTE|bp
Sorvete|Creme;Flocos;Cupuaçu;Tapioca;Açaí com Banana|Copo 150 ml;Pote 1,5 L|POTE|bp
Picolé|de Limão;de Uva;de Milho Verde;de Coco Queimado|-;Mini|UNID|bp
# Limpeza e higiene
Sabão em Pó|Lavanda;Roupas Coloridas;Concentrado|800 g;1,6 kg;4 kg|CX|b
Sabão em Barra|Neutro;Coco;Glicerinado|180 g;Pacote 5 × 200 g|BARRA|b
Detergente|Neutro;Maçã;Coco;Limão|500 ml;5 L|FRASCO|b
Amaciante|Brisa da Manhã;Flor de Algodão|500 ml;2 L|FRASCO|b
Água Sanitária|Tradicional;Perfumada|1 L;2 L;5 L|LITRO|b
Desinfetante|Pinho;Lavanda;Eucalipto|500 ml;2 L|FRASCO|b
Álcool|em Gel 70%;Líquido 46%;Líquido 70%|500 ml;1 L|FRASCO|b
Esponja|Dupla Face;de Aço;Antirrisco|Unidade;Pacote com 4;Pacote com 8|PACOTE|b
Saco de Lixo|Preto;Azul;Reforçado|30 L;50 L;100 L|ROLO|b
Papel Higiênico|Folha Simples;Folha Dupla;Folha Tripla|4 rolos;12 rolos;24 rolos|FARDO|b
Papel-Toalha|Folha Dupla;Interfolhado|2 rolos;6 rolos|PACOTE|b
Sabonete|Erva-Doce;Aveia;Lavanda;Andiroba|85 g;Pacote 6 × 85 g|UNID|b
Xampu|Cabelos Cacheados;Camomila;Babosa|200 ml;325 ml|FRASCO|b
Creme Dental|Menta;Hortelã Suave;Infantil Tutti-Frutti|50 g;90 g|TUBO|b
Vassoura|Pelo;Piaçava;Cerdas Macias|-;com Cabo|PC|b
Balde|Plástico;com Espremedor|8 L;12 L|PC|b|Azul;Vermelho;Cinza
Luva de Limpeza|Látex;Nitrílica|Forrada;Sem Forro|PARES|b|P;M;G
Chinelo|Liso;Estampado Folhagem;Tira Larga|Adulto;Infantil|PARES|b|33/34;35/36;37/38;39/40;41/42
Avental|Oxford;Sarja;Impermeável|Curto;Longo|PC|b|Preto;Bordô;Verde-Musgo
Camiseta|Algodão Básica;Gola V;Manga Longa|Adulto;Infantil|PC|b|P;M;G;GG
# Papelaria
Caderno|Universitário 10 Matérias;Brochura;de Desenho;Pautado Capa Dura|48 folhas;96 folhas;200 folhas|UNID|b
Caneta|Esferográfica 1.0;Gel 0.7;Marca-Texto;Hidrográfica|Unidade;Caixa com 12|UNID|b|Azul;Preta;Vermelha;Verde
Lápis|Preto nº 2;Carpinteiro;6B|Unidade;Cartela com 4|CART|b
Lápis de Cor|Sextavado;Aquarelável;Jumbo|12 cores;24 cores;36 cores|CX|b
Borracha|Branca;Bicolor;com Capa|Unidade;Caixa com 24|UNID|b
Papel Sulfite|A4 75 g/m²;A4 Reciclado;A3 90 g/m²|100 folhas;500 folhas|RESMA|b
Cola|Branca;em Bastão;Instantânea;Glitter|10 g;40 g;90 g|TUBO|b
Tesoura|Escolar sem Ponta;Multiuso;de Picotar|13 cm;21 cm|PC|b
Régua|Acrílica;Flexível;de Alumínio|15 cm;30 cm;50 cm|PC|b|Cristal;Azul;Rosa
Fita Adesiva|Transparente;Crepe;Dupla Face;Kraft|12 mm × 30 m;45 mm × 50 m|ROLO|b
Envelope|Pardo;Branco Ofício;Saco Kraft|Pequeno;Médio;Grande|CX100|b
Pasta|Catálogo;com Elástico;Sanfonada;Suspensa|A4;Ofício|UNID|b|Azul;Amarela;Fumê
Cartolina|Lisa;Dupla Face;Laminada|50 × 66 cm|FOLHA|b|Branca;Amarela;Azul;Rosa
Bobina Térmica|para Impressora de Cupom;para Maquininha|57 mm × 15 m;80 mm × 40 m|ROLO|b
Bloco de Recados|Autoadesivo;Pautado|76 × 76 mm;38 × 50 mm|BLOCO|b
Grampos|26/6 Galvanizado;23/13|1.000 peças;5.000 peças|CX|b
Clipe|Galvanizado nº 2/0;Colorido nº 3/0|50 peças;500 g|CX50|b
# Ferragens
Prego|com Cabeça 17 × 27;com Cabeça 18 × 30;sem Cabeça 12 × 12;Telheiro|-;Galvanizado;Polido|KG|b
Parafuso|Chipboard 4,0 × 40;Sextavado 1/4";Autobrocante;Francês 5/16"|Zincado;Inox|CX100|b
Bucha|de Nylon nº 6;de Nylon nº 8;de Nylon nº 10|Cartela com 10;Caixa com 100|CART|b
Arame|Recozido nº 18;Galvanizado nº 14;Farpado|-;Rolo 1 kg|KG|b
Corrente|Soldada 4 mm;Galvanizada 6 mm|-;Inox|KG|b
Corda|Polipropileno 8 mm;Sisal 10 mm;Trançada 6 mm|-;Colorida|M|b
Cabo Elétrico|Flexível 1,5 mm²;Flexível 2,5 mm²;Flexível 4 mm²|-;Rolo 100 m|M|b|Preto;Azul;Vermelho;Verde
Mangueira|de Jardim 1/2";Cristal 3/4"|-;Reforçada|M|b
Tinta|Acrílica Fosca;Esmalte Sintético;Látex Econômica|900 ml;3,6 L;18 L|LATA|b|Branco Neve;Gelo;Areia;Azul-Céu
Pincel|Cerdas Naturais;Cerdas Sintéticas|1/2";1";2"|PC|b
Rolo de Pintura|Lã de Carneiro;Espuma;Antigota|9 cm;23 cm|PC|b
Lixa|d'Água;Massa;Ferro|Grão 80;Grão 120;Grão 220|FOLHA|b
Chave de Fenda|Ponta Chata;Ponta Cruzada|1/8 × 3";1/4 × 6"|PC|b
Jogo de Chaves|Combinadas;Allen;de Precisão|6 peças;12 peças|JOGO|b
Martelo|Unha;Bola;de Borracha|25 mm;29 mm|PC|b
Alicate|Universal;de Corte;de Bico|6";8"|PC|b
Trena|Emborrachada;Fita Larga|3 m;5 m;8 m|PC|b
Lâmpada LED|Bulbo Branca Fria;Bulbo Amarela;Tubular|9 W;12 W;18 W|UNID|b
Tomada|Simples 10 A;Dupla 10 A;Simples 20 A|de Embutir;de Sobrepor|PC|b|Branca;Preta
Fita Isolante|Antichama;Colorida|5 m;10 m;20 m|ROLO|b
Torneira|de Jardim;de Pia Bica Alta;de Lavatório|Plástica;Metal Cromado|PC|b
Cano PVC|Soldável 20 mm;Soldável 25 mm;Esgoto 100 mm|Barra 3 m;Barra 6 m|BARRA|b
Joelho PVC|90° Soldável;45° Soldável|20 mm;25 mm;32 mm|PC|b
Cimento|CP II;Branco|5 kg;25 kg;50 kg|SACO|b
Argamassa|AC-I;AC-II;AC-III|5 kg;20 kg|SACO|b
Silicone|Acético Transparente;Neutro Branco|50 g;280 g|TUBO|b
Cadeado|Latão;Tetra Chave|25 mm;35 mm;50 mm|PC|b
Dobradiça|Zincada;Inox|3";3 1/2"|PARES|b
`;

function words(text: string): string[] {
  return text === '' ? [''] : text.split(';').map((word) => (word === '-' ? '' : word));
}

function readAssortments(): Assortment[] {
  const assortments: Assortment[] = [];
  let department = '';
  for (const line of lines.trim().split('\n')) {
    if (line.startsWith('# ')) {
      department = line.slice(2);
      continue;
    }
    const [noun = '', varieties = '', packs = '', unit = '', marks = '', options = ''] = line.split('|');
    assortments.push({
      department,
      noun,
      varieties: words(varieties),
      packs: words(packs),
      unit,
      isBranded: marks.includes('b'),
      isPerishable: marks.includes('p'),
      options: options === '' ? [] : options.split(';'),
    });
  }
  return assortments;
}

/** Everything that the training store sells, one entry a kind of goods. */
export const assortments: readonly Assortment[] = readAssortments();
